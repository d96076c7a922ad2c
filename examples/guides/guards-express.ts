/** docs/guards-express.md */
import assert from "node:assert/strict";
import express, { type NextFunction, type Request, type Response } from "express";
import { expressGuards } from "latchkey/express";
import { applicationId, listen, openShop, statuses } from "./guards-shop.ts";

const shop = await openShop();
const { identity } = shop;

const app = express();
const { requireApiKey, requireRole, requireUser } = expressGuards(identity);

app.get("/me", requireUser({ applicationId }), (request, response) => {
  const { identity: caller } = request;
  response.json(caller?.kind === "user" ? { id: caller.userId, roles: caller.roles } : {});
});
app.get("/orders", requireRole("buyer", { applicationId }), (_request, response) => {
  response.json([]);
});
app.get("/prices", requireRole(["seller", "manager"], { applicationId, fresh: true }), (_request, response) => {
  response.json([]);
});
app.get("/reports", requireApiKey(), (_request, response) => {
  response.json([]);
});

// All routes of a router.
const account = express.Router().use(requireUser({ applicationId, fresh: true }));
account.get("/", (_request, response) => {
  response.send("Your account");
});
app.use("/account", account);

// Your page for refusals: after the routes.
app.use((error: Error & { status?: number }, _request: Request, response: Response, next: NextFunction) => {
  if (error.status === 401) response.redirect("/login");
  else if (error.status === 403) response.status(403).send("This page is not for you.");
  else next(error);
});
app.get("/login", (_request, response) => void response.status(418).end());

const origin = await listen(app);
assert.deepEqual(await statuses(`${origin}/me`, shop), [418, 200, 418]);
assert.deepEqual(await statuses(`${origin}/orders`, shop), [418, 200, 418]);
assert.deepEqual(await statuses(`${origin}/prices`, shop), [418, 403, 418]);
assert.deepEqual(await statuses(`${origin}/reports`, shop), [418, 418, 200]);
assert.deepEqual(await statuses(`${origin}/account`, shop), [418, 200, 418]);
await identity.close();
