/** docs/lambdas-modules.md. */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { createLambdaHarness, readLambdaBody } from "latchkey/testing";

const identity = await createIdentityService({ storage: memoryStorage(), secret: "use at least thirty-two random characters" });
const textBody = readLambdaBody(new URL("lambdas/text.js", import.meta.url));
const departmentBody = readLambdaBody(new URL("lambdas/department.js", import.meta.url));
const planBody = `function populate(jwt) { jwt.plan = jwt.department === "research-lab" ? "gold" : "free"; }`;

const { lambda: text } = await identity.lambdas.create({ lambda: { name: "Text", type: "Module", body: textBody } });
const { lambda: department } = await identity.lambdas.create({
  lambda: {
    name: "Department",
    type: "JWTPopulate",
    body: departmentBody,
    modules: [{ name: "text", lambdaId: text.id, version: 1 }],
  },
});

const { lambda: plan } = await identity.lambdas.create({ lambda: { name: "Plan", type: "JWTPopulate", body: planBody } });
await identity.lambdas.patch({ lambdaId: department.id, patch: { lambda: { chain: [plan.id] } } });
const user = { id: "00000000-0000-4000-8000-000000000001", data: { department: "Research Lab" } };
const ran = await identity.lambdas.run({ id: department.id, type: "JWTPopulate" }, { jwt: {}, user });
assert.deepEqual([ran.jwt.department, ran.jwt.plan], ["research-lab", "gold"]);

// Ten of a hundred users have the new body, the others version 1.
const newBody = departmentBody.replace("slug(", '"new-" + slug(');
await identity.lambdas.patch({
  lambdaId: department.id,
  patch: { lambda: { body: newBody, rollout: { percent: 10, version: 1 } } },
});
const { lambdaVersions } = await identity.lambdas.versions({ lambdaId: department.id });
assert.deepEqual(
  lambdaVersions.map(({ version }) => version),
  [2, 1],
);
const { lambda: restored } = await identity.lambdas.restore({ lambdaId: department.id, version: 1 });
assert.equal(restored.body, departmentBody);

await using harness = await createLambdaHarness();
const lambda = harness.load({ type: "JWTPopulate", body: departmentBody, modules: { text: textBody } });
const { outcome, arguments: after } = await lambda.run({ user: { data: { department: "Looms & Co" } } });
assert.deepEqual([outcome.kind, after.jwt.department], ["ok", "looms-co"]);
await identity.close();
