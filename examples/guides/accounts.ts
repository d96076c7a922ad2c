/** docs/accounts.md, docs/embedding.md: calls for visitors who have no credential. */
import assert from "node:assert/strict";
import { once } from "node:events";
import express from "express";
import { anonymousCaller, createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const identity = await createIdentityService({ storage: memoryStorage() });
const app = express().use(express.json());

const visitor = (address: string | undefined) => identity.as(anonymousCaller({ address }));

app.post("/forgot", async ({ body, ip }, response) => {
  await visitor(ip).logins.forgotPassword(body); // the same answer for known and unknown users
  response.json({});
});
app.post("/reset", async ({ body, ip }, response) => {
  await visitor(ip).logins.changePassword(body); // needs the id of the mail
  response.json({});
});
app.post("/verify", async ({ body, ip }, response) => {
  await visitor(ip).verifications.verifyEmail(body);
  response.json({});
});
app.post("/send-link", async ({ body, ip }, response) => {
  await visitor(ip).passwordless.send(body);
  response.json({});
});
app.use(((error, _request, response, _next) => {
  if (!error.status) console.error(error);
  response.status(error.status ?? 500).json({ message: error.status ? error.message : "Something went wrong." });
}) satisfies express.ErrorRequestHandler);

const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
const post = async (path: string, body: object): Promise<number> => {
  const headers = { "content-type": "application/json" };
  return (await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) })).status;
};

const { user } = await identity.users.create({ user: { email: "ada@example.com", password: "correct horse" } });
for (const loginId of ["ada@example.com", "unknown@example.com"]) {
  assert.equal(await post("/forgot", { loginId, changePasswordId: "a".repeat(64) }), 200);
  assert.equal(await post("/reset", { loginId, password: "another horse" }), 400);
}
assert.equal(await post("/reset", { changePasswordId: "a".repeat(64), password: "another horse" }), 404);
const asked = await identity.logins.forgotPassword(
  { loginId: "ada@example.com", sendForgotPasswordMessage: false },
  { returnIds: true },
);
assert.equal(await post("/reset", { changePasswordId: asked.changePasswordId, password: "another horse" }), 200);
assert.equal(await post("/verify", { verificationId: "unknown" }), 404);
const { application } = await identity.applications.create({
  application: { name: "Shop", passwordlessConfiguration: { enabled: true } },
});
assert.equal(await post("/send-link", { loginId: user.email, applicationId: application.id }), 200);

server.close();
await identity.close();
