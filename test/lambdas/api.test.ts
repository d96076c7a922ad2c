import { describe, expect } from "vitest";
import type { LambdaPermissions } from "../../src/records/lambdas/schema.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { addRunRoutes, makePopulate, run, runDry, runIn, withLambdas } from "../support/lambda-runs.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, type World } from "../support/world.js";

addRunRoutes();

const readAndPatch: LambdaPermissions = { endpoints: { "/api/user": ["GET", "PATCH"] } };

let made = 0;

/** A tenant with a user, and a lambda with this text and these permissions that runs for it. */
async function prepare(world: World, text: string, permissions: object | undefined = readAndPatch) {
  const tenantId = await makeTenant(world, `Own ${made++}`);
  const { user } = await world.identity.users.create(
    { user: { email: "ann@example.com", password: "correct horse" } },
    { tenantId },
  );
  const lambdaId = await makePopulate(world, text, permissions && { permissions });
  const given = { jwt: { id: user.id }, context: {} };
  return { tenantId, userId: user.id, lambdaId, fields: { tenantId, arguments: given } };
}

const tried = (call: string): string => `try { jwt.answer = ${call}; } catch (error) { jwt.error = error.message; }`;

forEachStorage((start) => {
  describe("the API inside of lambdas", () => {
    requirement("lambda.api", "reads and patches records of the tenant, as the lambda", async () => {
      const world = await start(withLambdas({}));
      const text =
        "const { email } = api.user.retrieve(jwt.id); jwt.email = email; jwt.after = api.user.patch(jwt.id, { data: { seen: 1 } }).data;";
      const { userId, lambdaId, fields, tenantId } = await prepare(world, text);
      const after = expectOk(await run(world.caller, lambdaId, fields)).at("jwt");
      expect(after).toEqual({ id: userId, email: "ann@example.com", after: { seen: 1 } });
      expect((await world.identity.users.retrieve({ userId }, { tenantId })).user.data).toEqual({ seen: 1 });
      const [event] = (await readEvents(world.storage, "user.update")).slice(-1);
      expect(event).toMatchObject({ actor: { type: "lambda", id: lambdaId } });
    });

    requirement("lambda.api", "has nothing without permissions, or without a tenant", async () => {
      const world = await start(withLambdas({}));
      const { lambdaId, fields } = await prepare(world, "jwt.type = typeof api;", { endpoints: {} });
      expect(expectOk(await run(world.caller, lambdaId, fields)).at("jwt.type")).toBe("undefined");
      const granted = await makePopulate(world, "jwt.type = typeof api;", { permissions: readAndPatch });
      expect(expectOk(await run(world.caller, granted, { ...fields, tenantId: undefined })).at("jwt.type")).toBe("undefined");
      expect(expectOk(await run(world.caller, granted, fields)).at("jwt.type")).toBe("object");
    });

    requirement("lambda.api-bounds", "refuses what no permission names, wrong ids and bad changes", async () => {
      const world = await start(withLambdas({}));
      const refused: readonly (readonly [call: string, message: RegExp])[] = [
        ["api.group.retrieve(jwt.id)", /no permission GET \/api\/group/],
        ["api.user.retrieve()", /needs an id/],
        ["api.user.retrieve('../tenant')", /needs an id/],
        ["api.user.patch(jwt.id)", /needs an object/],
        ["api.user.patch(jwt.id, { email: 7 })", /api\.user\.patch: 400 /],
        ["api.user.patch(jwt.id, JSON.parse('{\"__proto__\": {}}'))", /api\.user\.patch: 400/],
      ];
      for (const [call, message] of refused) {
        const lambdaId = await makePopulate(world, tried(call), { permissions: readAndPatch });
        const { fields } = await prepare(world, "jwt.a = 1;");
        expect(expectOk(await run(world.caller, lambdaId, fields)).at("jwt.error"), call).toMatch(message);
      }
    });

    requirement("lambda.api-bounds", "does not see another tenant", async () => {
      const world = await start(withLambdas({}));
      const own = await prepare(world, tried("[api.user.retrieve(jwt.id), api.user.patch(jwt.id, { data: { stolen: 1 } })]"));
      const other = await prepare(world, "jwt.a = 1;");
      const requested = { ...own.fields, arguments: other.fields.arguments };
      expect(expectOk(await run(world.caller, own.lambdaId, requested)).at("jwt.error")).toBe("api.user.patch: 404");
      const { user } = await world.identity.users.retrieve({ userId: other.userId }, { tenantId: other.tenantId });
      expect(user.data ?? {}).toEqual({});
    });

    requirement("lambda.api-bounds", "makes 20 calls at most, and none after the run", async () => {
      const world = await start(withLambdas({}));
      const text = `jwt.done = 0; try { for (let i = 0; i < 10000; i++) { api.user.retrieve(jwt.id); jwt.done++; } } catch (error) { jwt.error = error.message; }`;
      const { lambdaId, fields } = await prepare(world, text);
      expect(expectOk(await run(world.caller, lambdaId, fields)).at("jwt")).toMatchObject({
        done: 20,
        error: expect.stringContaining("20 times"),
      });
      const late = await prepare(
        world,
        "Promise.resolve().then(() => api.user.patch(jwt.id, { data: { late: 1 } })); jwt.a = 1;",
      );
      expect(expectOk(await run(world.caller, late.lambdaId, late.fields)).at("jwt.a")).toBe(1);
      const { user } = await world.identity.users.retrieve({ userId: late.userId }, { tenantId: late.tenantId });
      expect(user.data ?? {}).toEqual({});
    });

    requirement(
      "lambda.api-bounds",
      "changes nothing in a dry run and in a trial, and a trial needs the rights of the lambda",
      async () => {
        const world = await start(withLambdas({}));
        const { lambdaId, fields, tenantId, userId } = await prepare(
          world,
          tried("api.user.patch(jwt.id, { data: { seen: 1 } }).data"),
        );
        expect(expectOk(await runDry(world.caller, lambdaId, fields)).at("jwt.answer")).toEqual({ seen: 1 });
        const trial = { tenantId, arguments: { jwt: { id: userId } } };
        expect(expectOk(await world.caller.post(`/api/lambda/${lambdaId}/test`, trial)).at("arguments.jwt.answer")).toEqual({
          seen: 1,
        });
        const { apiKey } = await world.identity.apiKeys.create({
          apiKey: { permissions: { endpoints: { "/api/lambda/test": ["POST"], "/api/lambda": ["POST"] } } },
        });
        const weak = new Caller(world.identity, { Authorization: apiKey.key ?? "" });
        const seen = expectOk(await weak.post(`/api/lambda/${lambdaId}/test`, trial)).at("arguments.jwt");
        expect(seen).toEqual({ id: userId, error: expect.stringContaining("undefined") });
        expect((await world.identity.users.retrieve({ userId }, { tenantId })).user.data ?? {}).toEqual({});
      },
    );

    requirement("lambda.api-permissions", "nobody grants, or uses by a new body, what they do not hold", async () => {
      const world = await start(withLambdas({}));
      const { lambdaId } = await prepare(world, "jwt.a = 1;");
      const { apiKey } = await world.identity.apiKeys.create({
        apiKey: { permissions: { endpoints: { "/api/lambda": ["POST", "PATCH", "PUT"], "/api/user": ["GET"] } } },
      });
      const weak = new Caller(world.identity, { Authorization: apiKey.key ?? "" });
      const body = "function populate(jwt) {}";
      const lambda = { name: "Weak", type: "JWTPopulate", body, permissions: readAndPatch };
      const refusals = [
        await weak.post("/api/lambda", { lambda }),
        await weak.patch(`/api/lambda/${lambdaId}`, { lambda: { body } }),
        await weak.put(`/api/lambda/${lambdaId}`, { lambda }),
      ];
      for (const refusal of refusals) {
        expect(refusal.status).toBe(400);
        expect(refusal.at("fieldErrors")).toHaveProperty(["lambda.permissions"]);
      }
      const allowed = { ...lambda, permissions: { endpoints: { "/api/user": ["GET"] } } };
      expect(expectOk(await weak.post("/api/lambda", { lambda: allowed })).at("lambda.permissions")).toEqual(allowed.permissions);
      expectOk(await weak.put(`/api/lambda/${lambdaId}`, { lambda: { name: "None", body } }));
    });

    requirement("lambda.api-permissions", "name endpoints that there are", async () => {
      const world = await start(withLambdas({}));
      const lambda = { name: "L", type: "JWTPopulate", body: "function populate(jwt) {}" };
      const permissions = { endpoints: { "/api/users": ["GET"] } };
      const code = "[invalid]lambda.permissions.endpoints[/api/users]";
      expectRefusal(await world.caller.post("/api/lambda", { lambda: { ...lambda, permissions } }), 400, code);
      const own = `/api/lambda/${expectOk(await world.caller.post("/api/lambda", { lambda })).textAt("lambda.id")}`;
      expectRefusal(await world.caller.put(own, { lambda: { ...lambda, permissions } }), 400, code);
      expectRefusal(await world.caller.patch(own, { lambda: { permissions } }), 400, code);
    });

    requirement("lambda.api-permissions", "nobody uses those of a lambda by its modules or its chain", async () => {
      const world = await start(withLambdas({}));
      const post = async (fields: object) =>
        expectOk(await world.caller.post("/api/lambda", { lambda: { name: "L", ...fields } })).textAt("lambda.id");
      const inner = await post({ type: "Module", body: "exports.a = 1;" });
      const outer = await post({ type: "Module", body: "exports.a = 1;", modules: [{ name: "inner", lambdaId: inner }] });
      const type = "JWTPopulate";
      const body = "function populate() {}";
      const strong = await post({ type, body, permissions: readAndPatch, modules: [{ name: "outer", lambdaId: outer }] });
      const before = await post({ type, body });
      const head = await post({ type, body, chain: [before, strong] });
      const free = await post({ type, body });
      const permissions = { endpoints: { "/api/lambda": ["POST", "PATCH"], "/api/lambda/restore": ["POST"] } } as const;
      const { apiKey } = await world.identity.apiKeys.create({ apiKey: { permissions } });
      const weak = new Caller(world.identity, { Authorization: apiKey.key ?? "" });
      const path = "lambda.permissions";
      for (const lambdaId of [inner, outer, before, head, strong]) {
        const text = lambdaId === inner || lambdaId === outer ? "exports.a = api;" : "function populate(jwt) {}";
        expectRefusal(await weak.mergePatch(`/api/lambda/${lambdaId}`, { lambda: { body: text } }), 400, `[invalid]${path}`);
        expectRefusal(await weak.post(`/api/lambda/${lambdaId}/restore`, { version: 1 }), 400, `[invalid]${path}`);
      }
      const chained = { lambda: { name: "Own", type, body, chain: [strong] } };
      expectRefusal(await weak.post("/api/lambda", chained), 400, `[invalid]${path}`);
      expectRefusal(await weak.mergePatch(`/api/lambda/${free}`, { lambda: { chain: [strong] } }), 400, `[invalid]${path}`);
      expectOk(await weak.mergePatch(`/api/lambda/${free}`, { lambda: { body: "function populate(jwt) {}" } }));
    });

    requirement("lambda.api-transactions", "refuses to patch what the lambda changes by its arguments", async () => {
      const world = await start(withLambdas({}));
      const { tenantId, userId } = await prepare(world, "jwt.a = 1;");
      const patch = (call: string): string =>
        `function reconcile(user) { try { ${call}; } catch (error) { user.data = { error: error.message }; } }`;
      for (const call of ["api.user.patch(user.id, { data: {} })", "api.registration.patch(user.id, user.id, { roles: [] })"]) {
        const permissions = { endpoints: { "/api/user": ["PATCH"], "/api/user/registration": ["PATCH"] } };
        const lambdaId = await makeLambda(world, "GoogleReconcile", { body: patch(call), permissions });
        const given = { user: { id: userId }, registration: {}, idToken: {} };
        const changed = expectOk(await run(world.caller, lambdaId, { type: "GoogleReconcile", tenantId, arguments: given }));
        expect(changed.at("user.data.error"), call).toMatch(/Change the argument (user|registration) instead/);
      }
    });

    requirement("lambda.api-transactions", "is refused inside of a transaction of the host, which goes on", async () => {
      const world = await start(withLambdas({}));
      const { lambdaId, fields } = await prepare(world, tried("api.user.patch(jwt.id, { data: { seen: 1 } })"));
      const changed = await world.identity.transaction((tx) => runIn(tx, lambdaId, fields));
      expect(changed).toMatchObject({ jwt: { error: expect.stringContaining("transaction of the host") } });
    });

    requirement("lambda.api-transactions", "keeps a patch of the user whose login is under way", async () => {
      const world = await start(withLambdas({}));
      const body =
        "function populate(jwt, user) { jwt.seen = api.user.patch(user.id, { data: { seen: 1 }, firstName: 'Ann' }).firstName; }";
      const { tenantId, userId } = await prepare(world, "jwt.a = 2;");
      const { lambda } = await world.identity.lambdas.create({
        lambda: { name: "Seen", type: "JWTPopulate", body, permissions: readAndPatch },
      });
      const { application } = await world.identity.applications.create(
        { application: { name: "Shop", lambdaConfiguration: { accessTokenPopulateId: lambda.id } } },
        { tenantId },
      );
      const applicationId = application.id;
      await world.identity.registrations.create({ userId, registration: { applicationId } }, { tenantId });
      await world.identity.logins.login({ loginId: "ann@example.com", password: "correct horse", applicationId }, { tenantId });
      const { user } = await world.identity.users.retrieve({ userId }, { tenantId });
      expect(user).toMatchObject({ data: { seen: 1 }, firstName: "Ann" });
      expect(user.lastLoginInstant).toBeGreaterThan(0);
    });
  });
});
