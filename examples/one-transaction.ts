/** Rows of the app and records of the service in one transaction on one SQLite file: both are kept, or neither. */
import type { Generated, Kysely } from "kysely";
import { createIdentityService, type IdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";
import type { Group } from "latchkey/types";

/** The app's own table, in the types of Kysely. */
export interface AppDatabase {
  readonly projects: { readonly id: Generated<number>; readonly name: string; readonly groupId: string };
}

/** A service on the app's database. Its own tables have names that begin with `latchkey_`. */
export async function openService(filename: string, secret: string): Promise<IdentityService<Kysely<AppDatabase>>> {
  const identity = await createIdentityService({ storage: sqliteStorage<AppDatabase>({ filename }), secret });
  await identity.transaction(({ db }) =>
    db.schema
      .createTable("projects")
      .ifNotExists()
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull().unique())
      .addColumn("groupId", "text", (column) => column.notNull())
      .execute(),
  );
  return identity;
}

/** Makes a project and the group of its members. A failure of either leaves nothing of both. */
export function createProject(identity: IdentityService<Kysely<AppDatabase>>, name: string): Promise<Group> {
  return identity.transaction(async (tx) => {
    const { group } = await tx.groups.create({ group: { name: `Members of ${name}` } });
    await tx.db.insertInto("projects").values({ name, groupId: group.id }).execute();
    return group;
  });
}

/** The names of all projects. */
export async function listProjects(identity: IdentityService<Kysely<AppDatabase>>): Promise<readonly string[]> {
  const rows = await identity.transaction(({ db }) => db.selectFrom("projects").select("name").orderBy("name").execute());
  return rows.map((row) => row.name);
}

if (import.meta.main) {
  const identity = await openService("projects.db", "use at least thirty-two random characters");
  await createProject(identity, `Project ${Date.now()}`);
  console.log(await listProjects(identity));
  await identity.close();
}
