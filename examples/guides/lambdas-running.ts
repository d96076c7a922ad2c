/** docs/lambdas-running.md and docs/lambdas-places.md. */
import assert from "node:assert/strict";
import { createIdentityService, IdentityError } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { isolatedVmRunner, quickJsRunner } from "latchkey/runners";
import { readLambdaBody } from "latchkey/testing";
import { assertLike } from "./like.ts";

let storage = memoryStorage();
const secret = "use at least thirty-two random characters";
const runner = isolatedVmRunner();
const vault = { read: async (path: string): Promise<string> => `the secret at ${path}` };
const hr = { rolesOf: async (...of: unknown[]): Promise<string[]> => (of.includes("ann") ? ["clerk"] : []) };

const identity = await createIdentityService({
  storage,
  secret,
  lambdas: {
    runner, // default: isolatedVmRunner(), where the package isolated-vm is installed
    allowFetch: true, // plan essentials
    resolveSecret: (name, { tenantId, lambdaId }) => vault.read(`${tenantId}/${lambdaId}/${name}`),
    functions: { rolesOf: ({ tenantId }, userId) => hr.rolesOf(tenantId, userId) },
    limits: { wallClockMilliseconds: 500 },
    hideFailures: true,
  },
});

const bodyOf = (name: string): string => readLambdaBody(new URL(`lambdas/${name}.js`, import.meta.url));
const body = `function populate(jwt, user) {
  if (!user.active) return;
  jwt.roles = context.roles;
}`;
const { lambda } = await identity.lambdas.create({ lambda: { name: "Add roles", type: "JWTPopulate", body } });
const { lambda: gate } = await identity.lambdas.create({
  lambda: { name: "Gate", type: "LoginValidation", body: bodyOf("log-in") },
});
const { application } = await identity.applications.create({
  application: { name: "Shop", lambdaConfiguration: { accessTokenPopulateId: lambda.id } },
});
const applicationId = application.id;
const credentials = { loginId: "ann@example.com", password: "correct horse" };
await identity.registrations.create({
  user: { email: credentials.loginId, password: credentials.password },
  registration: { applicationId },
});
await identity.logins.login({ ...credentials, applicationId });
const { eventLogs } = await identity.eventLogs.search({ search: { type: "Error" } });
assertLike(eventLogs[0], "event-log-entry");

// docs/lambdas-places.md
const [tenant] = (await identity.tenants.list()).tenants;
assert.ok(tenant);
await identity.tenants.patch({
  tenantId: tenant.id,
  patch: {
    tenant: {
      lambdaConfiguration: {
        constants: { seats: { free: 1, gold: 10 } }, // JSON values: context.constants.seats.gold
        secrets: { crm: "sk-live-0123" }, // texts: context.secrets.get("crm")
      },
    },
  },
});
const { lambda: reader } = await identity.lambdas.create({
  lambda: {
    name: "Read",
    type: "JWTPopulate",
    body: "function populate(jwt, user, registration, { constants, secrets }) { jwt.read = [constants.seats.gold, secrets.get('crm')]; }",
  },
});
const read = await identity.lambdas.run(reader.id, { jwt: {}, user: {}, registration: {} }, { tenantId: tenant.id });
assert.deepEqual(read.jwt, { read: [10, "sk-live-0123"] });
await identity.tenants.patch({ tenantId: tenant.id, patch: { tenant: { lambdaConfiguration: { loginValidationId: gate.id } } } });
await assert.rejects(identity.logins.login({ ...credentials, applicationId }), (error: unknown) => {
  assert.ok(error instanceof IdentityError);
  return error.code === "[missing]user.data.zip" && error.generalErrors.length === 0;
});
await identity.close();

// The same without native code.
storage = memoryStorage();
const withoutNativeCode = await createIdentityService({ storage, secret, lambdas: { runner: quickJsRunner() } });
const { lambda: claims } = await withoutNativeCode.lambdas.create({
  lambda: { name: "Claims", type: "JWTPopulate", body: "function populate(jwt) { jwt.a = 1; }" },
});
const { jwt } = await withoutNativeCode.lambdas.run(claims.id, { jwt: {}, user: {}, registration: {} });
assert.deepEqual(jwt, { a: 1 });
await withoutNativeCode.close();
