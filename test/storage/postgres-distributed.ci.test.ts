// A distributed database that speaks the protocol: no notices, no advisory locks, no index beside writes, and commits that conflict.
import { postgresStorage } from "latchkey/postgres";
import { expect, onTestFinished } from "vitest";
import { keep, keptLabels } from "../contract/storage/kit.js";
import { books, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { distributedPool } from "../support/distributed-pool.js";
import { postgresUrl, testDatabase, testOnServer } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";

const database = testDatabase();

requirement(
  "postgres.distributed",
  "a distributed database is asked for nothing that it lacks, and refused commits run again",
  async () => {
    const pool = distributedPool(database.pool());
    const schema = database.newSchema();
    const storage = postgresStorage({ schema, isDistributed: true, pool, searchIndexFrom: 1 });
    onTestFinished(() => storage.close());
    await storage.open(tables);
    await keep(storage, tenants, tenantsToStart);
    await keep(storage, books, [toBook("a"), toBook("b")]);
    const runs: number[] = [];
    await storage.transaction(async (tx) => {
      runs.push(runs.length);
      await tx.insert({ kind: "global" }, books, [toBook("c")]);
    });
    expect(await keptLabels(storage)).toEqual(["a", "b", "c"]);
    // The first commit of each transaction is refused.
    await storage.transaction(async (tx) => {
      runs.push(runs.length);
      await tx.insert({ kind: "global" }, books, [toBook("d")]);
    });
    expect([runs.length, pool.missing]).toEqual([4, []]);
  },
);

testOnServer("processes on it that start together make one schema, which each of them uses", async () => {
  const schema = database.newSchema();
  const storages = Array.from({ length: 3 }, () =>
    postgresStorage({ schema, isDistributed: true, connectionString: postgresUrl ?? "" }),
  );
  onTestFinished(async () => void (await Promise.all(storages.map((storage) => storage.close()))));
  await Promise.all(storages.map((storage) => storage.open(tables)));
  await Promise.all(storages.map((storage) => storage.ping()));
  const versions = await database.pool().query(`select version from "${schema}".latchkey_schema_versions`);
  expect(versions.rows).toHaveLength(1);
});
