/** The service where requests come as `Request`: in Hono, and the same way in Next, Bun, Deno and service workers. */
import { Hono } from "hono";
import { createIdentityService } from "latchkey";
import { fetchHandler } from "latchkey/fetch";
import { memoryStorage } from "latchkey/memory";

/** The app. `apiKey` is what callers over HTTP present. */
export async function createApp(apiKey: string): Promise<Hono> {
  const identity = await createIdentityService({ storage: memoryStorage(), apiKey });
  const answer = fetchHandler(identity, { basePath: "/identity" });

  const app = new Hono();
  // Undefined says that the path is not the service's: the app's own routes go on.
  app.use("/identity/*", async (context, next) => (await answer(context.req.raw)) ?? next());
  app.post("/teams", async (context) => {
    const { team } = await context.req.json<{ readonly team: string }>();
    const { group } = await identity.groups.create({ group: { name: team } });
    return context.json({ team: group.name, id: group.id }, 201);
  });
  return app;
}

if (import.meta.main) {
  // With Bun or Deno: `export default app`. On Node: serve it with the package @hono/node-server.
  const app = await createApp("a-key-for-trying-this-0123456789ab");
  const response = await app.request("/identity/api/group", { headers: { authorization: "a-key-for-trying-this-0123456789ab" } });
  console.log(response.status, await response.text());
}
