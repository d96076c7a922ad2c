/** docs/guards-koa.md */
import assert from "node:assert/strict";
import Koa from "koa";
import { type IdentityState, koaGuards } from "latchkey/koa";
import { applicationId, listen, openShop, statuses } from "./guards-shop.ts";

const shop = await openShop();
const { identity } = shop;

const { requireApiKey, requireRole } = koaGuards(identity);

// Your answer to refusals: before the guards.
const orders = new Koa<IdentityState>();
orders.use(async (context, next) => {
  try {
    await next();
  } catch (error) {
    const { status } = error as { status?: number };
    if (status !== 401) throw error;
    context.status = 401;
    context.body = "Log in first.";
  }
});
orders.use(requireRole("buyer", { applicationId }));
orders.use((context) => {
  const { identity: caller } = context.state;
  context.body = caller?.kind === "user" ? { id: caller.userId, roles: caller.roles } : {};
});

const prices = new Koa<IdentityState>().use(requireRole(["seller", "manager"], { applicationId, fresh: true }));
const reports = new Koa<IdentityState>().use(requireApiKey()).use((context) => {
  context.body = [];
});

assert.deepEqual(await statuses(await listen(orders.callback()), shop), [401, 200, 401]);
assert.deepEqual(await statuses(await listen(prices.callback()), shop), [401, 403, 401]);
assert.deepEqual(await statuses(await listen(reports.callback()), shop), [401, 401, 200]);
await identity.close();
