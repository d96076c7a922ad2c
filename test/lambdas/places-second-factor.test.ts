import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { failings, giveApplication, giveTenant, makeStatements, startWithRunner } from "../support/lambda-places.js";
import { anybody, arrangeLogin, ids, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { forEachStorage, readEvents, type Start, type World } from "../support/world.js";

const path = "lambdaConfiguration.multiFactorRequirementId";
const type = "MFARequirement";

async function startDeciding(start: Start, statements: string): Promise<World> {
  const world = await startWithRunner(start);
  await arrangeLogin(world);
  await giveTenant(world, path, type, statements);
  return world;
}

/** Gives the user a second factor; the code that was used is the current one. */
async function enable(world: World): Promise<void> {
  const method = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
  expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, method));
}

async function finish(world: World, twoFactorId: string): Promise<Answer> {
  const code = codeAt(secret, world.clock.advance(stepMs));
  return anybody(world).post("/api/two-factor/login", { code, twoFactorId });
}

/** What the lambda was given, which it threw. */
function thrownBy(answer: Answer): unknown {
  expectRefusal(answer, 400, "[LambdaFailed]");
  const message = answer.textAt("generalErrors.0.message");
  return JSON.parse(message.slice(message.indexOf("{"), message.lastIndexOf("}") + 1));
}

const tellAll =
  "throw new Error(JSON.stringify({ result, userId: user.id, registration: registration.applicationId, context }));";

forEachStorage((start) => {
  describe("the lambda that decides on second factors", () => {
    requirement("lambda-place.second-factor", "asks for none where one would be asked for", async () => {
      const world = await startDeciding(start, "result.required = false;");
      await enable(world);
      const answer = expectOk(await world.caller.post("/api/login", loginBody()));
      expect(answer.at("user.id")).toBe(ids.user);
    });

    requirement("lambda-place.second-factor", "leaves it as it is when it changes nothing", async () => {
      const world = await startDeciding(start, "user.twoFactor = {}; result.other = false;");
      expectOk(await world.caller.post("/api/login", loginBody()));
      await enable(world);
      const waiting = await world.caller.post("/api/login", loginBody());
      expect([waiting.status, waiting.each("methods", "method")]).toEqual([242, ["authenticator"]]);
      expectOk(await finish(world, waiting.textAt("twoFactorId")));
    });

    requirement("lambda-place.second-factor", "asks for one of a user who has none, who may get one then", async () => {
      const world = await startDeciding(start, "result.required = true;");
      const waiting = await world.caller.post("/api/login", loginBody());
      expect(waiting.status).toBe(242);
      const configurableMethods = ["authenticator"];
      expect(waiting.body).toEqual({ configurableMethods, methods: [], twoFactorId: expect.stringMatching(/^[\w-]{43}$/) });
      expect(waiting.cookies.filter((cookie) => !cookie.startsWith("device="))).toEqual([]);
      expectEmpty(await finish(world, waiting.textAt("twoFactorId")), 421);
      await enable(world);
      expect(expectOk(await finish(world, waiting.textAt("twoFactorId"))).at("user.id")).toBe(ids.user);
    });

    requirement("lambda-place.second-factor", "is that of the application where it has one", async () => {
      const world = await startDeciding(start, "result.required = true;");
      expect((await world.caller.post("/api/login", loginBody())).status).toBe(242);
      await giveApplication(world, "multiFactorRequirementId", type, "result.required = false;");
      expectOk(await world.caller.post("/api/login", loginBody()));
      expect((await world.caller.post("/api/login", loginBody({ applicationId: undefined }))).status).toBe(242);
    });

    requirement(
      "lambda-place.second-factor",
      "is not asked about wrong passwords, refreshes and who is known already",
      async () => {
        const world = await startDeciding(start, "");
        const refreshToken = expectOk(await world.caller.post("/api/login", loginBody())).textAt("refreshToken");
        await giveTenant(world, path, type, "throw new Error('asked');");
        expectEmpty(await world.caller.post("/api/login", loginBody({ password: "wrong password" })), 404);
        expectOk(await world.caller.post("/api/jwt/refresh", { refreshToken }));
        expectOk(await world.caller.put(`/api/login/${ids.user}`));
      },
    );

    requirement(["lambda-place.second-factor", "lambda-place.context"], "sees what was decided, and where", async () => {
      const world = await startDeciding(start, tellAll);
      const login = (): Promise<Answer> =>
        world.caller.post("/api/login", loginBody({ ipAddress: "192.0.2.7" }), { "User-Agent": "tests/1" });
      const seen = {
        result: { required: false, sendSuspiciousLoginEvent: false },
        userId: ids.user,
        registration: ids.application,
        context: {
          action: "login",
          application: { data: {}, id: ids.application, name: "Shop" },
          authenticationThreats: [],
          authenticationType: "PASSWORD",
          eventInfo: { ipAddress: "192.0.2.7", userAgent: "tests/1" },
          policies: { tenantLoginPolicy: "Enabled" },
          tenant: { data: {}, id: world.defaultTenantId, issuer: "latchkey", name: "Default" },
        },
      };
      expect(thrownBy(await login())).toEqual(seen);
      await enable(world);
      expect(thrownBy(await login())).toMatchObject({ result: { required: true } });
    });

    requirement(
      ["lambda-place.context", "two-factor.trust"],
      "sees the trust in the device, and the action of a check",
      async () => {
        const world = await startDeciding(start, "");
        await enable(world);
        const waiting = await world.caller.post("/api/login", loginBody());
        const code = codeAt(secret, world.clock.advance(stepMs));
        const body = { code, trustComputer: true, twoFactorId: waiting.textAt("twoFactorId") };
        const twoFactorTrustId = expectOk(await anybody(world).post("/api/two-factor/login", body)).textAt("twoFactorTrustId");
        await giveTenant(world, path, type, tellAll);
        const startInstants = { applications: { [ids.application]: world.clock.instant } };
        const mfaTrust = { applicationId: ids.application, startInstants, tenantId: world.defaultTenantId, userId: ids.user };
        const seen = thrownBy(await world.caller.post("/api/login", loginBody({ twoFactorTrustId })));
        expect(seen).toMatchObject({ result: { required: false }, context: { action: "login", mfaTrust } });
        expect(JSON.stringify(seen)).not.toContain(twoFactorTrustId);
        const check = { action: "stepUp", applicationId: ids.application, twoFactorTrustId, userId: ids.user };
        const checked = thrownBy(await world.caller.post("/api/two-factor/status", check));
        expect(checked).toMatchObject({ result: { required: true }, context: { action: "stepUp", mfaTrust } });
      },
    );

    requirement("lambda-place.second-factor", "receives whether a login requires a new password", async () => {
      const world = await startDeciding(start, "result.required = context.action === 'changePassword';");
      await enable(world);
      expectOk(await world.caller.post("/api/login", loginBody()));
      expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { passwordChangeRequired: true } }));
      const waiting = await world.caller.post("/api/login", loginBody());
      expect(waiting.status).toBe(242);
      const answer = await finish(world, waiting.textAt("twoFactorId"));
      expect(answer.status).toBe(203);
      const chosen = { password: `${password}!` };
      expectOk(await anybody(world).post(`/api/user/change-password/${answer.textAt("changePasswordId")}`, chosen));
      expectOk(await world.caller.post("/api/login", loginBody(chosen)));
    });
  });

  describe("a suspicion of that lambda", () => {
    requirement("lambda-place.suspicious", "is an event, whether a second factor is asked for or not", async () => {
      const world = await startDeciding(start, "result.sendSuspiciousLoginEvent = true; result.required = user.data.asked;");
      for (const asked of [true, false]) {
        expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { data: { asked } } }));
        const { status } = await world.caller.post("/api/login", loginBody({ ipAddress: "192.0.2.7" }));
        expect(status).toBe(asked ? 242 : 200);
      }
      const events = await readEvents(world.storage, "user.login.suspicious");
      expect(events).toHaveLength(2);
      for (const event of events)
        expect(event).toMatchObject({
          applicationId: ids.application,
          authenticationType: "PASSWORD",
          connectorId: expect.any(String),
          ipAddress: "192.0.2.7",
          linkedObjectId: ids.user,
          tenantId: world.defaultTenantId,
          threatsDetected: [],
          user: { id: ids.user },
        });
    });

    requirement("lambda-place.suspicious", "is none unless it says so", async () => {
      const world = await startDeciding(start, "result.required = false;");
      expectOk(await world.caller.post("/api/login", loginBody()));
      expect(await readEvents(world.storage, "user.login.suspicious")).toEqual([]);
    });
  });

  describe("a failure of that lambda", () => {
    for (const { name, statements, options, spoil } of failings)
      requirement("lambda-place.second-factor-failure", `that ${name} lets nobody in`, async () => {
        const world = await start(options);
        await arrangeLogin(world);
        await enable(world);
        const lambdaId = await giveTenant(world, path, type, `result.required = false; ${statements}`);
        await spoil?.(world, lambdaId);
        expectRefusal(await world.caller.post("/api/login", loginBody()), 400, "[LambdaFailed]");
        expect(await readEvents(world.storage, "user.login.success")).toEqual([]);
      });

    requirement("lambda-place.second-factor-failure", "that decides neither way lets nobody in", async () => {
      const world = await startDeciding(start, "");
      for (const spoilt of ["result.required = 'no';", "delete result.required;", "result.sendSuspiciousLoginEvent = 1;"]) {
        const lambdaId = await makeStatements(world, type, spoilt);
        const tenant = { lambdaConfiguration: { multiFactorRequirementId: lambdaId } };
        expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
        expectRefusal(await world.caller.post("/api/login", loginBody()), 400, "[LambdaFailed]");
      }
    });
  });
});
