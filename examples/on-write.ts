/** A row of the app for each user, written in the transaction of whatever call creates, changes or removes the user. */
import type { Kysely } from "kysely";
import { createIdentityService, IdentityError, type IdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";

/** The app's own table, in the types of Kysely. */
interface AppDatabase {
  readonly profiles: { readonly userId: string; readonly email: string };
}

const apiKey = "a-key-of-the-example-0123456789-0123456789";

/** A service that keeps the profiles of the app in step with its users. */
async function openService(filename: string, secret: string): Promise<IdentityService<Kysely<AppDatabase>>> {
  const identity = await createIdentityService({
    storage: sqliteStorage<AppDatabase>({ filename }),
    secret,
    apiKey,
    async onWrite({ db }, { after, family, id = "" }) {
      if (family !== "users") return;
      const email = String(after?.email);
      if (email.endsWith("@rival.example.com"))
        throw new IdentityError(400, { fieldErrors: { "user.email": [{ code: "[rival]user.email", message: "Not here." }] } });
      await db.deleteFrom("profiles").where("userId", "=", id).execute();
      if (after !== undefined) await db.insertInto("profiles").values({ userId: id, email }).execute();
    },
  });
  await identity.transaction(({ db }) =>
    db.schema
      .createTable("profiles")
      .ifNotExists()
      .addColumn("userId", "text", (column) => column.primaryKey())
      .addColumn("email", "text", (column) => column.notNull())
      .execute(),
  );
  return identity;
}

const identity = await openService(":memory:", "use at least thirty-two random characters");
const createUser = (email: string) =>
  identity.inject({
    method: "POST",
    url: "/api/user",
    headers: { authorization: apiKey, "content-type": "application/json" },
    body: JSON.stringify({ user: { email, password: "correct horse battery" } }),
  });
console.log((await createUser("ada@example.com")).status);
console.log((await createUser("eve@rival.example.com")).body);
console.log(await identity.transaction(({ db }) => db.selectFrom("profiles").select("email").execute()));
await identity.close();
