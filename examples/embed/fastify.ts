/** The service in Fastify. */
import fastify from "fastify";
import { createIdentityService } from "latchkey";
import { identityPlugin } from "latchkey/fastify";
import { sqliteStorage } from "latchkey/sqlite";

const identity = await createIdentityService({
  storage: sqliteStorage({ filename: "latchkey.db" }),
  secret: process.env.LATCHKEY_SECRET,
  apiKey: process.env.LATCHKEY_API_KEY,
});

const app = fastify();
app.register(identityPlugin(identity)); // with { prefix: "/identity" } below a path
app.get("/teams", async () => (await identity.groups.list()).groups.map(({ name }) => name));
await app.listen({ port: Number(process.env.PORT ?? 3000) });
