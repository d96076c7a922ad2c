/** The service where requests come as `Request`: Hono, Next, Bun, Deno, service workers. */
import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import { createIdentityService } from "latchkey";
import { fetchHandler } from "latchkey/fetch";
import { sqliteStorage } from "latchkey/sqlite";

const identity = await createIdentityService({
  storage: sqliteStorage({ filename: "latchkey.db" }),
  secret: process.env.LATCHKEY_SECRET,
  apiKey: process.env.LATCHKEY_API_KEY,
});

// What @hono/node-server passes on. In Bun and Deno: getConnInfo(context).remote.address, from hono/bun or hono/deno.
interface Env {
  Bindings: { incoming?: IncomingMessage };
}

const app: Hono<Env> = new Hono<Env>();
const answer = fetchHandler(identity); // with { basePath: "/identity" } below a path
app.use(async ({ env, req }, next) => {
  return (await answer(req.raw, { remoteAddress: env?.incoming?.socket.remoteAddress })) ?? next();
});
app.get("/teams", async (context) => context.json((await identity.groups.list()).groups.map(({ name }) => name)));

export default app;
