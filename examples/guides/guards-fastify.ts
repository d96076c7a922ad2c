/** docs/guards-fastify.md */
import assert from "node:assert/strict";
import fastify from "fastify";
import { fastifyGuards } from "latchkey/fastify";
import { applicationId, openShop, statuses } from "./guards-shop.ts";

const shop = await openShop();
const { identity } = shop;

const app = fastify();
const { requireApiKey, requireRole, requireUser } = fastifyGuards(identity);

app.get("/me", { onRequest: requireUser({ applicationId }) }, async ({ identity: caller }) =>
  caller?.kind === "user" ? { id: caller.userId, roles: caller.roles } : {},
);
app.get("/orders", { onRequest: requireRole("buyer", { applicationId }) }, async () => []);
app.get("/prices", { onRequest: requireRole(["seller", "manager"], { applicationId, fresh: true }) }, async () => []);
app.get("/reports", { onRequest: requireApiKey() }, async () => []);

// All routes of a plugin.
app.register(async (account) => {
  account.addHook("onRequest", requireUser({ applicationId, fresh: true }));
  account.get("/account", async () => "Your account");
});

// Your answer to refusals.
app.setErrorHandler<Error & { statusCode?: number; status?: number }>((error, _request, reply) => {
  if (error.status === 401) return reply.redirect("/login");
  if (error.status === 403) return reply.code(403).send("This page is not for you.");
  return reply.send(error);
});
app.get("/login", async (_request, reply) => reply.code(418).send());

const origin = await app.listen({ port: 0, host: "127.0.0.1" });
assert.deepEqual(await statuses(`${origin}/me`, shop), [418, 200, 418]);
assert.deepEqual(await statuses(`${origin}/orders`, shop), [418, 200, 418]);
assert.deepEqual(await statuses(`${origin}/prices`, shop), [418, 403, 418]);
assert.deepEqual(await statuses(`${origin}/reports`, shop), [418, 418, 200]);
assert.deepEqual(await statuses(`${origin}/account`, shop), [418, 200, 418]);
await app.close();
await identity.close();
