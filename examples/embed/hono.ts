/** The service where requests come as `Request`: Hono, Next, Bun, Deno, service workers. */
import { Hono } from "hono";
import { createIdentityService } from "latchkey";
import { fetchHandler } from "latchkey/fetch";
import { sqliteStorage } from "latchkey/sqlite";

const identity = await createIdentityService({
  storage: sqliteStorage({ filename: "identity.db" }),
  secret: process.env.LATCHKEY_SECRET,
  apiKey: process.env.LATCHKEY_API_KEY,
});

const app: Hono = new Hono();
const answer = fetchHandler(identity); // with { basePath: "/identity" } below a path
app.use(async (context, next) => (await answer(context.req.raw)) ?? next());
app.get("/teams", async (context) => context.json((await identity.groups.list()).groups.map(({ name }) => name)));

export default app;
