import { IdentityError, type IdentityService } from "latchkey";
import { describe, expect } from "vitest";
import { sampleArguments } from "../../src/lambdas/types/sample-arguments.js";
import { expectOk } from "../support/answer.js";
import { testRunner } from "../support/lambda-runner.js";
import { missingRunner } from "../support/lambda-runs.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

const lambdas = { runner: testRunner() };
const withColor = { body: "function populate(jwt, user) { jwt.color = user.data.color; }" };

async function refusalOf(call: Promise<unknown>): Promise<IdentityError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof IdentityError)) throw new Error(`The call was not refused but ended with ${String(outcome)}.`);
  return outcome;
}

async function codesOf(call: Promise<unknown>): Promise<readonly string[]> {
  const { fieldErrors, generalErrors } = await refusalOf(call);
  return [...generalErrors, ...Object.values(fieldErrors).flat()].map(({ code }) => code).sort();
}

forEachStorage((start) => {
  const startWithRunner = (): Promise<World> => start({ lambdas });

  describe("identity.lambdas.run", () => {
    requirement("lambda.in-process", "takes an id, an id with a type, or a record, and answers all arguments", async () => {
      const world = await startWithRunner();
      const { identity } = world;
      const lambdaId = await makeLambda(world, "JWTPopulate", withColor);
      const given = { jwt: { sub: "a" }, user: { data: { color: "green" } } };
      const changed = { jwt: { sub: "a", color: "green" }, user: given.user, context: {} };
      expect(await identity.lambdas.run(lambdaId, given)).toEqual(changed);
      expect(await identity.lambdas.run(lambdaId.toUpperCase(), given)).toEqual(changed);
      expect(await identity.lambdas.run({ id: lambdaId }, given)).toEqual(changed);
      expect(await identity.lambdas.run({ id: lambdaId, type: "JWTPopulate" }, given)).toEqual(changed);
      const { lambda } = await identity.lambdas.retrieve({ lambdaId });
      expect(await identity.lambdas.run(lambda, given)).toEqual(changed);
      expect(given).toEqual({ jwt: { sub: "a" }, user: { data: { color: "green" } } });
    });

    requirement("lambda.in-process", "takes a record of its own users", async () => {
      const world = await startWithRunner();
      const { identity, caller, defaultTenantId } = world;
      const body = { user: { email: "ann@example.com", data: { color: "red" } } };
      const userId = expectOk(await caller.inTenant(defaultTenantId).post("/api/user", body)).textAt("user.id");
      const { user } = await identity.users.retrieve({ userId });
      const id = await makeLambda(world, "JWTPopulate", withColor);
      const { jwt } = await identity.lambdas.run({ id, type: "JWTPopulate" }, { jwt: {}, user }, { tenantId: defaultTenantId });
      expect(jwt.color).toBe("red");
    });

    requirement("lambda.in-process", "makes the result of a validation, and completes one", async () => {
      const world = await startWithRunner();
      const { identity } = world;
      const user = {};
      const validation = await makeLambda(world, "LoginValidation");
      const errors = { fieldErrors: {}, generalErrors: [] };
      expect(await identity.lambdas.run(validation, { user })).toEqual({ user, context: {}, result: { errors } });
      const body = "function checkRequired(result) { result.sendSuspiciousLoginEvent = result.required; }";
      const id = await makeLambda(world, "MFARequirement", { body });
      const checked = await identity.lambdas.run({ id, type: "MFARequirement" }, { user, result: { required: true } });
      expect(checked.result).toEqual({ required: true, sendSuspiciousLoginEvent: true });
    });

    requirement("lambda.in-process", "names each argument that is missing, unknown or of the wrong kind", async () => {
      const world = await startWithRunner();
      const id = await makeLambda(world, "JWTPopulate");
      const run = (given: object): Promise<unknown> => world.identity.lambdas.run(id, given);
      expect(await codesOf(run({}))).toEqual(["[missing]arguments.jwt", "[missing]arguments.user"]);
      expect(await codesOf(run({ jwt: null, user: {} }))).toEqual(["[missing]arguments.jwt"]);
      expect(await codesOf(run({ jwt: {}, user: {}, usr: {} }))).toEqual(["[invalid]arguments.usr"]);
      expect(await codesOf(run({ jwt: "text", user: 7, context: true }))).toEqual([
        "[invalidJSON]arguments.context",
        "[invalidJSON]arguments.jwt",
        "[invalidJSON]arguments.user",
      ]);
      expect(await codesOf(run({ jwt: {}, user: { name: "\0" } }))).toEqual(["[invalid]arguments.user.name"]);
    });

    requirement("lambda.in-process", "refuses a lambda that is not there, or of another type", async () => {
      const world = await startWithRunner();
      const { lambdas: family } = world.identity;
      const given = sampleArguments("LoginValidation");
      const id = await makeLambda(world, "JWTPopulate");
      expect(await refusalOf(family.run(uuid(9), given))).toMatchObject({ status: 404 });
      expect(await codesOf(family.run("JWTPopulate", given))).toEqual(["[couldNotConvert]lambdaId"]);
      expect(await codesOf(family.run({ id, type: "LoginValidation" }, given))).toEqual(["[invalid]lambda.type"]);
      expect(await codesOf(family.run(id, { jwt: {}, user: {} }, { tenantId: "x" }))).toEqual(["[couldNotConvert]tenantId"]);
    });

    requirement("lambda.in-process", "sees inside of a transaction what only that one knows yet", async () => {
      const world = await startWithRunner();
      const given = { jwt: {}, user: { data: { color: "blue" } } };
      const run = world.identity.transaction(async (tx) => {
        const made = await tx.lambdas.create({ lambda: { name: "New", type: "JWTPopulate", ...withColor } });
        const { jwt } = await tx.lambdas.run(made.lambda, given);
        expect(jwt).toEqual({ color: "blue" });
        throw new Error(made.lambda.id);
      });
      const id = await run.catch((error: Error) => error.message);
      expect(await refusalOf(world.identity.lambdas.run(id, given))).toMatchObject({ status: 404 });
    });

    requirement("lambda.in-process", "needs global rights", async () => {
      const world = await startWithRunner();
      const { identity } = world;
      const id = await makeLambda(world);
      const run = (api: Pick<IdentityService, "lambdas">): Promise<unknown> => api.lambdas.run(id, { jwt: {}, user: {} });
      const tenantId = await makeTenant(world, "Other");
      await callerOfTenant(world, tenantId);
      await identity.apiKeys.create({ apiKey: { key: "global-key" } });
      await identity.apiKeys.create({ apiKey: { key: "narrow-key", permissions: { endpoints: { "/api/lambda": ["GET"] } } } });
      const as = async (key: string): Promise<Pick<IdentityService, "lambdas">> => {
        const principal = await identity.findPrincipal(key);
        if (principal === undefined) throw new Error(`There is no key ${key}.`);
        return identity.as(principal);
      };
      expect(await run(await as("global-key"))).toEqual({ jwt: {}, user: {}, context: {} });
      expect(await refusalOf(run(await as(`key-of-${tenantId}`)))).toMatchObject({ status: 401 });
      expect(await refusalOf(run(await as("narrow-key")))).toMatchObject({ status: 401 });
      expect(await refusalOf(run(identity.as({ kind: "host", tenantId })))).toMatchObject({ status: 401 });
    });
  });

  requirement(
    "lambda.in-process",
    "a service without a runner refuses what is needed, and leaves the rest as it was",
    async () => {
      const world = await start({ lambdas: { runner: missingRunner() } });
      const given = { jwt: { sub: "a" }, user: {} };
      expect(await world.identity.lambdas.run(await makeLambda(world), given)).toEqual({ ...given, context: {} });
      const id = await makeLambda(world, "LoginValidation");
      expect(await codesOf(world.identity.lambdas.run(id, { user: {} }))).toEqual(["[LambdaFailed]"]);
    },
  );
});
