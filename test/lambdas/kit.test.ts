import { describe, expect } from "vitest";
import { lambdaTypeNames } from "../../src/availability/lambda-types.js";
import { sampleArguments } from "../../src/lambdas/types/sample-arguments.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { testRunner } from "../support/lambda-runner.js";
import { bodyOf, makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, readEvents, uuid, type World } from "../support/world.js";

const path = "/api/lambda/test";
const runner = testRunner();
const body = `function populate(jwt, user, registration) {
  console.info("for", user.email); console.warn("careful"); console.debug("deep");
  jwt.color = user.data.color; jwt.sub = "someone else"; user.email = "x"; jwt.isRegistered = registration !== undefined;
}`;

forEachStorage((start) => {
  const startWithRunner = (): Promise<World> => start({ lambdas: { runner } });
  const tryBody = (world: World, script: string, others: object = {}, type = "JWTPopulate"): Promise<Answer> =>
    world.caller.post(path, { lambda: { body: script, type }, ...others });

  describe("trying a lambda out", () => {
    requirement(
      "lambda.test",
      "answers the arguments as they are afterwards, the console, the outcome and the time",
      async () => {
        const world = await startWithRunner();
        const lambdaId = await makeLambda(world, "JWTPopulate", { body });
        const sample = sampleArguments("JWTPopulate");
        const changed = { ...sample, jwt: { ...sample.jwt, color: "green", isRegistered: true } };
        const lines = [
          { level: "info", text: "for ada@example.com" },
          { level: "warn", text: "careful" },
          { level: "debug", text: "deep" },
        ];
        const answers = [await tryBody(world, body), await world.caller.post(`/api/lambda/${lambdaId}/test`)];
        for (const answer of answers)
          expect(expectOk(answer).body).toEqual({
            arguments: changed,
            console: lines,
            durationMilliseconds: expect.any(Number),
            outcome: { kind: "ok" },
          });
        expect(await world.identity.lambdas.test({ lambdaId })).toMatchObject({ arguments: changed, outcome: { kind: "ok" } });
        const unsaved = await world.identity.lambdas.test({ lambda: { body, type: "JWTPopulate", name: "N", debug: true } });
        expect(unsaved).toMatchObject({ arguments: changed });
      },
    );

    requirement("lambda.test", "takes arguments of the caller's and samples the others; null is absent", async () => {
      const world = await startWithRunner();
      const given = { jwt: { sub: "a", exp: null }, registration: null };
      const { user, context } = sampleArguments("JWTPopulate");
      const answer = expectOk(await tryBody(world, body, { arguments: given, tenantId: world.defaultTenantId }));
      const jwt = { sub: "a", exp: null, color: "green", isRegistered: false };
      expect(answer.at("arguments")).toEqual({ jwt, user, context });
    });

    requirement("lambda.test", "has samples for each type by each of its names", async () => {
      const world = await startWithRunner();
      for (const type of lambdaTypeNames) {
        const answer = expectOk(await tryBody(world, bodyOf(type), {}, type));
        expect([type, answer.at("outcome")]).toEqual([type, { kind: "ok" }]);
      }
    });

    requirement("lambda.test", "reports a failure as an outcome, with the arguments as given", async () => {
      const patient = await startWithRunner();
      const outcomes = {
        "function populate(jwt) { jwt.a = 1; console.log('before'); throw new Error('Out of luck.'); }": "threw",
        "function other() {}": "missingFunction",
        "function populate( {": "syntax",
        "function populate() { for (;;); }": "timedOut",
      };
      const limited = await start({ lambdas: { runner: testRunner({ keepsLimits: true }) } });
      for (const [script, kind] of Object.entries(outcomes)) {
        const world = kind === "timedOut" ? limited : patient;
        const answer = expectOk(await tryBody(world, script, { arguments: { jwt: { sub: "a" } } }));
        expect([answer.at("outcome.kind"), answer.at("arguments.jwt")]).toEqual([kind, { sub: "a" }]);
      }
      const thrown = await tryBody(patient, Object.keys(outcomes)[0] ?? "");
      expect(thrown.at("outcome")).toMatchObject({ message: expect.stringContaining("Out of luck."), line: expect.any(Number) });
      expect(thrown.at("console")).toEqual([{ level: "info", text: "before" }]);
    });

    requirement("lambda.test", "says of no body that it is right which could not be saved", async () => {
      const world = await startWithRunner();
      const many = `const ${Array.from({ length: 10_001 }, (_, index) => `a${index} = 1`).join(", ")};`;
      const answer = expectOk(await tryBody(world, `${many} function populate(jwt) { jwt.a = 1; console.log("ran"); }`));
      expect(answer.at("outcome")).toEqual({
        kind: "syntax",
        message: expect.stringMatching(/^It cannot be saved\. More than 10000 names are declared at line 1, column \d+\.$/),
      });
      expect([answer.at("arguments.jwt.a"), answer.each("console", "text")]).toEqual([undefined, ["ran"]]);
    });

    requirement("lambda.test", "lets a lambda reach what the host offers, for the tenant that is said", async () => {
      const functions = { whereAmI: (place: object) => place };
      const resolveSecret = (name: string): string => `the secret ${name}`;
      const world = await start({ lambdas: { runner, functions, resolveSecret } });
      const script = `function populate(jwt, user, registration, context) {
        jwt.place = host.whereAmI(); jwt.length = context.secrets.get("token").length; console.log(context.secrets.get("token"));
      }`;
      const tenantId = world.defaultTenantId;
      const lambdaId = await makeLambda(world, "JWTPopulate", { body: script });
      const saved = expectOk(await world.caller.post(`/api/lambda/${lambdaId}/test`, { tenantId }));
      const unsaved = expectOk(await tryBody(world, script));
      expect([saved.at("arguments.jwt.place"), unsaved.at("arguments.jwt.place")]).toEqual([
        { lambdaId, tenantId },
        { lambdaId: "unsaved" },
      ]);
      for (const answer of [saved, unsaved])
        expect([answer.at("arguments.jwt.length"), answer.each("console", "text")]).toEqual([16, ["***"]]);
    });

    requirement("lambda.test", "keeps nothing", async () => {
      const world = await startWithRunner();
      const lambdaId = await makeLambda(world, "LoginValidation", { body: "function validate() { throw 1; }", debug: true });
      const before = [(await world.caller.get("/api/lambda")).text, (await readEvents(world.storage)).length];
      for (const url of [`/api/lambda/${lambdaId}/test`, `${path}?lambdaId=${lambdaId}`])
        expect(expectOk(await world.caller.post(url, {})).at("outcome.kind")).toBe("threw");
      expectOk(await tryBody(world, body));
      expect([(await world.caller.get("/api/lambda")).text, (await readEvents(world.storage)).length]).toEqual(before);
    });

    requirement("lambda.test", "refuses what is no lambda, and arguments of another type", async () => {
      const world = await startWithRunner();
      const { caller } = world;
      expectRefusal(await caller.post(path, {}), 400, "[missing]lambda");
      expectRefusal(
        await caller.post(path, { lambda: { name: "" } }),
        400,
        "[blank]lambda.body",
        "[blank]lambda.name",
        "[missing]lambda.type",
      );
      expectRefusal(await tryBody(world, " \n\t"), 400, "[blank]lambda.body");
      expectRefusal(await tryBody(world, body, {}, "Populate"), 400, "[invalidOption]lambda.type");
      expectRefusal(await tryBody(world, `${body}//${"x".repeat(200_000)}`), 400, "[tooLong]lambda.body");
      expectRefusal(
        await tryBody(world, body, { arguments: { jwt: 1, usr: {} } }),
        400,
        "[invalid]arguments.usr",
        "[invalidJSON]arguments.jwt",
      );
      expectRefusal(await tryBody(world, body, { arguments: { jwt: null } }), 400, "[missing]arguments.jwt");
      expectRefusal(await tryBody(world, body, { arguments: [] }), 400, "[invalidJSON]arguments");
      expectRefusal(await tryBody(world, body, { tenantId: "x" }), 400, "[couldNotConvert]tenantId");
      expectEmpty(await caller.post(`/api/lambda/${uuid(9)}/test`, {}), 404);
      expectRefusal(await caller.post("/api/lambda/x/test", {}), 400, "[couldNotConvert]lambdaId");
    });

    requirement("lambda.test", "knows the types of its version and its plan", async () => {
      const old = await start({ version: "1.52.0", lambdas: { runner } });
      expectRefusal(await tryBody(old, bodyOf("LoginValidation"), {}, "LoginValidation"), 400, "[invalidOption]lambda.type");
      const small = await start({ plan: "community", lambdas: { runner } });
      expectRefusal(await tryBody(small, bodyOf("MFARequirement"), {}, "MFARequirement"), 400, "[notLicensed]lambda.type");
      expect(expectOk(await tryBody(small, body)).at("outcome.kind")).toBe("ok");
    });

    requirement(["lambda.test", "lambda.access"], "is for global keys alone, of which some may do nothing else", async () => {
      const world = await startWithRunner();
      const lambdaId = await makeLambda(world);
      const lambda = { body, type: "JWTPopulate" };
      const ofTenant = await callerOfTenant(world, await makeTenant(world, "Other"));
      for (const caller of [ofTenant, world.caller.inTenant(world.defaultTenantId)])
        for (const url of [path, `/api/lambda/${lambdaId}/test`]) expectEmpty(await caller.post(url, { lambda }), 401);
      await world.identity.apiKeys.create({ apiKey: { key: "testers", permissions: { endpoints: { [path]: ["POST"] } } } });
      for (const url of [path, `/api/lambda/${lambdaId}/test`]) expectOk(await world.as("testers").post(url, { lambda }));
      expectEmpty(await world.as("testers").post("/api/lambda", { lambda }), 401);
    });

    requirement("lambda.test", "is distinguished from creating a lambda by its path", async () => {
      const { caller } = await startWithRunner();
      const lambda = { body: bodyOf("JWTPopulate"), name: "N", type: "JWTPopulate" };
      expect(expectOk(await caller.post(path, { lambda })).at("outcome.kind")).toBe("ok");
      expect(expectOk(await caller.post(`/api/lambda/${uuid(1)}`, { lambda })).at("lambda.id")).toBe(uuid(1));
      expect((await caller.get("/api/lambda")).each("lambdas", "id")).toEqual([uuid(1)]);
      expectEmpty(await caller.get(path), 405);
      expectEmpty(await caller.get(`/api/lambda/${uuid(1)}/test`), 405);
    });
  });
});
