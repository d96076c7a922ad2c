/** The service in Koa. */
import Koa from "koa";
import { createIdentityService } from "latchkey";
import { identityMiddleware } from "latchkey/koa";
import { sqliteStorage } from "latchkey/sqlite";

const identity = await createIdentityService({
  storage: sqliteStorage({ filename: "latchkey.db" }),
  secret: process.env.LATCHKEY_SECRET,
  apiKey: process.env.LATCHKEY_API_KEY,
});

const app = new Koa();
app.use(identityMiddleware(identity)); // with { basePath: "/identity" } below a path
app.use(async (context) => {
  context.body = (await identity.groups.list()).groups.map(({ name }) => name);
});
app.listen(Number(process.env.PORT ?? 3000));
