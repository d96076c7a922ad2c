/** docs/lambdas-api.md. */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { createLambdaHarness, readLambdaBody } from "latchkey/testing";

const identity = await createIdentityService({ storage: memoryStorage(), secret: "use at least thirty-two random characters" });
const body = readLambdaBody(new URL("lambdas/first-token.js", import.meta.url));

const { lambda } = await identity.lambdas.create({
  lambda: {
    name: "First token",
    type: "JWTPopulate",
    body,
    permissions: { endpoints: { "/api/user": ["GET", "PATCH"] } },
  },
});
const { application } = await identity.applications.create({
  application: { name: "Shop", lambdaConfiguration: { accessTokenPopulateId: lambda.id } },
});
const applicationId = application.id;
const credentials = { loginId: "ann@example.com", password: "correct horse" };
const { user } = await identity.registrations.create({
  user: { email: credentials.loginId, password: credentials.password },
  registration: { applicationId },
});
await identity.logins.login({ ...credentials, applicationId });
const { user: after } = await identity.users.retrieve({ userId: user.id });
assert.equal(typeof after.data?.firstToken, "number");

await using harness = await createLambdaHarness({ api: { "user.retrieve": () => ({ data: {} }), "user.patch": () => ({}) } });
const { outcome } = await harness.load({ type: "JWTPopulate", body }).run();
assert.equal(outcome.kind, "ok");
await identity.close();
