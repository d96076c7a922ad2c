/** The service in Express: the first screen of the README. */
import express from "express";
import { createIdentityService } from "latchkey";
import { identityRouter } from "latchkey/express";
import { sqliteStorage } from "latchkey/sqlite";

const app = express();
const identity = await createIdentityService({
  storage: sqliteStorage({ filename: "latchkey.db" }),
  secret: process.env.LATCHKEY_SECRET, // at least 32 random characters
  apiKey: process.env.LATCHKEY_API_KEY, // a first key, for calls over HTTP
});
app.use(identityRouter(identity)); // /api/group, /api/user, …; everything else goes on to your own routes

// In process: typed, the same rules, no HTTP in between.
app.get("/teams", async (_request, response) => {
  const { groups } = await identity.groups.list();
  response.json(groups.map(({ name }) => name));
});
app.listen(Number(process.env.PORT ?? 3000));
