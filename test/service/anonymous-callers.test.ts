// In process, someone without a credential has the rights, the answers and the limits of a request without one.
import { anonymousCaller, type CallOptions, IdentityError } from "latchkey";
import { describe, expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { drain, toInput } from "../support/every-operation.js";
import { startFlows } from "../support/flows.js";
import { callerAt } from "../support/from-address.js";
import { password } from "../support/logins.js";
import { headersOf } from "../support/matrix-flows.js";
import { setStage, toRequest } from "../support/matrix-stage.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, type World } from "../support/world.js";

type Calls = Readonly<Record<string, Readonly<Record<string, (input: object, options: CallOptions) => Promise<unknown>>>>>;

const otherPassword = "another horse battery";
const address = "203.0.113.7";

async function statusOf(call: Promise<unknown> | undefined): Promise<number | string> {
  try {
    await drain(await call);
    return "done";
  } catch (error) {
    return error instanceof IdentityError ? error.status : `${error}`;
  }
}

forEachStorage((start) => {
  requirement("service.anonymous", "without an address is warned of in the log, once", async () => {
    const { identity, log } = await start();
    const nobody = identity.as(anonymousCaller({ address: undefined }));
    for (let time = 0; time < 2; time++) await statusOf(nobody.logins.forgotPassword({ loginId: "nobody" }));
    const warnings = log.filter(({ level, message }) => level === "warn" && message.includes("remoteAddress"));
    expect(warnings).toHaveLength(1);
  });

  requirement("service.anonymous", "answers each operation as HTTP does without a credential", async () => {
    // One world for each way, so that neither uses up what the other one needs.
    const [overHttp, inProcess] = [await start(), await start()];
    const [httpStage, stage] = [await stageOf(overHttp), await stageOf(inProcess)];
    const http = callerAt(overHttp, address, {});
    const nobody = inProcess.identity.as(anonymousCaller({ address })) as unknown as Calls;
    const statuses = [];
    for (const route of routes) {
      const request = toRequest(route, httpStage);
      const content = route.method === "PATCH" ? { "content-type": "application/merge-patch+json" } : headersOf(request.body);
      const { status } = await http.send(request.method, request.url, request.body, content);
      const [family = "", verb = ""] = route.target.name.split(".");
      const call = nobody[family]?.[verb];
      if (call === undefined) continue;
      const own = toRequest(route, stage);
      const done = await statusOf(call(toInput(route, own), { dryRun: own.url.includes("dryRun=true") }));
      statuses.push({ route: `${route.method} ${route.path}`, status: status < 300 ? "done" : status, done });
    }
    expect(statuses.filter(({ done, status }) => done !== status)).toEqual([]);
    expect(new Set(statuses.map(({ done }) => done))).toEqual(new Set(["done", 400, 401]));
  });

  describe("someone without a credential", () => {
    const showsNothing = "learns nothing of who has an account, chooses no id, and changes no password without an id";
    requirement("service.anonymous", showsNothing, async () => {
      const { nextMail, world } = await startFlows(start);
      const { identity } = world;
      await identity.users.create({ user: { email: "ada@example.com", password } });
      const { logins } = identity.as(anonymousCaller({ address }));
      const changePasswordId = "chosen-by-the-caller-".padEnd(64, "0");
      for (const loginId of ["ada@example.com", "unknown@example.com"]) {
        const body = { loginId, changePasswordId, sendForgotPasswordMessage: false, unknown: true };
        expect(await logins.forgotPassword(body)).toBeUndefined();
        expect(await statusOf(logins.changePassword({ loginId, password: otherPassword }))).toBe(400);
      }
      expect(await statusOf(logins.changePassword({ changePasswordId, password: otherPassword }))).toBe(404);
      const application = { name: "Shop", loginConfiguration: { requireAuthentication: false } };
      const { id: applicationId } = (await identity.applications.create({ application })).application;
      const wrong = { loginId: "ada@example.com", password: otherPassword, applicationId };
      expect(await statusOf(logins.login(wrong))).toBe(404);
      expect(await statusOf(identity.as(anonymousCaller({ address })).users.find({ loginId: "ada@example.com" }))).toBe(401);
      const { words } = await nextMail("forgot");
      await logins.changePassword({ changePasswordId: String(words[1]), password: otherPassword });
      expect(await identity.logins.login({ loginId: "ada@example.com", password: otherPassword })).toHaveProperty("token");
    });

    requirement("service.anonymous", "counts for the limits of its address, beside requests over HTTP", async () => {
      const world = await start();
      const ask = (from: string, number: number): Promise<unknown> =>
        world.identity.as(anonymousCaller({ address: from })).logins.forgotPassword({ loginId: `${number}@example.com` });
      for (let number = 0; number < 50; number++) await ask(address, number);
      expect(await statusOf(ask(address, 50))).toBe(429);
      const http = callerAt(world, address, {});
      expect((await http.post("/api/user/forgot-password", { loginId: "51@example.com" })).status).toBe(429);
      expect(await statusOf(ask("203.0.113.8", 52))).toBe("done");
    });

    requirement("service.anonymous", "is bound to the tenant that the host names", async () => {
      const world = await start();
      const tenantId = await makeTenant(world, "Other");
      const bound = world.identity.as(anonymousCaller({ address, tenantId }));
      const rules = await bound.tenants.passwordRules({});
      expect(rules).toHaveProperty("passwordValidationRules");
      expect(await statusOf(bound.tenants.passwordRules({}, { tenantId: world.defaultTenantId }))).toBe(401);
      const unbound = world.identity.as(anonymousCaller({ address }));
      expect(await unbound.tenants.passwordRules({}, { tenantId })).toEqual(rules);
    });

    requirement("service.anonymous", "is not on this machine, even at a loopback address", async () => {
      const { identity } = await start({ localMetrics: true });
      expect(await statusOf(identity.as(anonymousCaller({ address: "127.0.0.1" })).system.metrics())).toBe(401);
    });
  });
});

function stageOf(world: World) {
  return setStage(world, world.defaultTenantId);
}
