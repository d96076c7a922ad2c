/** docs/lambdas.md; examples/lambda.ts is a whole program. */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { loadLambdaKit } from "latchkey/ports";
import { createLambdaHarness } from "latchkey/testing";
import { assertLike } from "./like.ts";

const storage = memoryStorage();
const secret = "use at least thirty-two random characters";
const identity = await createIdentityService({ storage, secret });

// docs/lambdas.md, "Test"
await using harness = await createLambdaHarness({
  responses: { "GET https://plans.example/ada": { body: { plan: "gold" } } }, // what fetch answers; other calls throw
  secrets: { plans: "key" }, // context.secrets.get("plans")
  constants: { plan: "free" }, // context.constants.plan
  functions: { add: (_place, a, b) => Number(a) + Number(b) }, // host.add(1, 2), as in the options of a service
});
const file = new URL("lambdas/populate.js", import.meta.url); // or a path; or body, or function; .ts as well
const lambda = harness.load({ type: "JWTPopulate", file });
const { outcome, arguments: after } = await lambda.run({ user: { data: { department: "Looms" } }, registration: undefined });
assert.deepEqual([outcome.kind, after.jwt.department, after.jwt.plan], ["ok", "Looms", "free"]);
harness.requests; // what fetch was called with

assert.deepEqual(harness.requests, []);
const body = "function populate(jwt) {\n  jwt.department = 'Engines';\n  console.info('Hello');\n  jwt.nothing.is = 'there';\n}";
const nothing = { jwt: {}, user: {}, registration: {}, context: {} };
const trial = await identity.lambdas.test({ lambda: { type: "JWTPopulate", body }, arguments: nothing });
assertLike(trial, "lambda-trial");

// docs/lambdas.md, "Attach"
const reconcile = "function reconcile(user, registration, idToken) { user.firstName = idToken.given_name; }";
const { id } = (await identity.lambdas.create({ lambda: { name: "Google", type: "GoogleReconcile", body: reconcile } })).lambda;
const { user: ann } = await identity.users.create({ user: { email: "ann@example.com" } });
const { tenantId } = ann;
const idToken = { ...(await loadLambdaKit()).sampleArguments("GoogleReconcile").idToken, given_name: "Ann" };
const registration = undefined;

const { user } = await identity.lambdas.run({ id, type: "GoogleReconcile" }, { user: ann, registration, idToken }, { tenantId });
const again = await identity.lambdas.run(id, { user, registration, idToken }); // by the id alone: typed as what is given

assert.deepEqual([user.firstName, again.user.firstName], ["Ann", "Ann"]);
await identity.close();
