import express, { type ErrorRequestHandler } from "express";
import { createIdentityService } from "latchkey";
import { identityRouter } from "latchkey/express";
import { sqliteStorage } from "latchkey/sqlite";

/** The app's own tables, as Kysely knows them. */
interface Tables {
  readonly projects: { readonly name: string; readonly groupId: string };
}

const app = express();
const identity = await createIdentityService({
  storage: sqliteStorage<Tables>({ filename: "latchkey.db" }),
  secret: process.env.LATCHKEY_SECRET, // at least 32 random characters
  apiKey: process.env.LATCHKEY_API_KEY, // a first key, for calls over HTTP
  allowPrivateNetwork: true, // while you develop: webhooks to your own machine
});
app.use(identityRouter(identity)); // /api/group, /api/user, …; everything else goes on to your own routes

// In process: typed, the same rules, no HTTP in between.
app.get("/teams", async (_request, response) => {
  const { groups } = await identity.groups.list();
  response.json(groups.map(({ name }) => name));
});

// Your rows and ours, one transaction: `tx.db` is Kysely on the same database.
await identity.transaction(({ db }) =>
  db.schema.createTable("projects").ifNotExists().addColumn("name", "text").addColumn("groupId", "text").execute(),
);
app.post("/projects/:name", async ({ params: { name } }, response) => {
  const group = await identity.transaction(async (tx) => {
    const { group } = await tx.groups.create({ group: { name: `Members of ${name}` } });
    await tx.db.insertInto("projects").values({ name, groupId: group.id }).execute();
    return group;
  });
  response.json(group);
});

// A refusal has a status and a message for the caller; anything else stays here.
const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (!error.status) console.error(error);
  response.status(error.status ?? 500).json({ message: error.status ? error.message : "Something went wrong." });
};
app.use(onError);
app.listen(Number(process.env.PORT ?? 3000));
