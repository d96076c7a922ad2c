// The handle of a transaction as hosts get it: tx.db, by the storage.
import { Kysely, sql } from "kysely";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { sqliteStorage } from "latchkey/sqlite";
import { createTestIdentity } from "latchkey/testing";
import { expect } from "vitest";
import { hasPostgres, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { testSecret } from "../support/world.js";

const database = testDatabase(hasPostgres);

requirement("storage.handle", "is a Kysely on SQLite and Postgres, the same one for the whole transaction", async () => {
  for (const storage of [sqliteStorage({ filename: ":memory:" }), ...(hasPostgres ? [database.newStorage()] : [])]) {
    const identity = await createIdentityService({ storage, secret: testSecret });
    const rows = await identity.transaction(async (tx) => {
      expect(tx.db).toBeInstanceOf(Kysely);
      expect(tx.db).toBe(tx.db);
      await tx.groups.create({ group: { name: "Editors" } });
      return (await sql<{ n: number }>`select 1 as n`.execute(tx.db)).rows;
    });
    expect(rows).toEqual([{ n: 1 }]);
    await identity.close();
  }
});

requirement("storage.handle", "is not there on memory", async () => {
  await using kit = await createTestIdentity();
  const identity = await createIdentityService({ storage: memoryStorage() });
  for (const one of [identity, kit.identity]) expect(await one.transaction(async (tx) => "db" in tx)).toBe(false);
  await identity.close();
});

requirement("storage.handle", "is that of the storage in a service for tests", async () => {
  await using kit = await createTestIdentity({
    storage: sqliteStorage<{ projects: { name: string } }>({ filename: ":memory:" }),
  });
  await kit.identity.transaction(({ db }) => db.schema.createTable("projects").addColumn("name", "text").execute());
  const names = await kit.identity.transaction(async ({ db, groups }) => {
    const { group } = await groups.create({ group: { name: "Editors" } });
    await db.insertInto("projects").values({ name: group.name }).execute();
    return db.selectFrom("projects").select("name").execute();
  });
  expect(names).toEqual([{ name: "Editors" }]);
});
