// Behind a pooler in transaction mode, each transaction may run on another session of the server.

import type { Storage } from "latchkey/ports";
import { type PgClientLike, type PgPoolLike, type PostgresStorageOptions, postgresStorage } from "latchkey/postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { keep, keptLabels } from "../contract/storage/kit.js";
import { books, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { buildIndexes } from "../search/support.js";
import { clientOf, postgresUrl, testDatabase, testOnServer } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";

const database = testDatabase();

async function open(options: PostgresStorageOptions): Promise<Storage> {
  const storage = postgresStorage({ schema: database.newSchema(), ...options });
  onTestFinished(() => storage.close());
  await storage.open(tables);
  await keep(storage, tenants, tenantsToStart);
  return storage;
}

/** The pool of the tests, and what changes the session of its connections beyond a transaction. */
function watchedPool(): { readonly pool: PgPoolLike; readonly ofSession: readonly string[] } {
  const pool = database.pool();
  const ofSession: string[] = [];
  const isOfSession =
    /^\s*(set (?!local|transaction)|reset|listen|prepare|deallocate)|;\s*set (?!local)|pg_(try_)?advisory_lock/i;
  const connect = async (): Promise<PgClientLike> => {
    const client: PgClientLike = await pool.connect();
    return {
      query(query) {
        if (query.name !== undefined || isOfSession.test(query.text)) ofSession.push(query.text);
        return client.query(query);
      },
      release: (error) => client.release(error),
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
    };
  };
  const { options } = pool;
  return {
    ofSession,
    pool: { options, connect, end: async () => undefined, on: () => undefined, off: () => undefined },
  };
}

async function use(storage: Storage): Promise<void> {
  for (const label of ["a", "b", "c", "d"]) {
    await keep(storage, books, [toBook(label)]);
    await storage.search({ kind: "global" }, books, { sort: [{ column: "pages", direction: "asc" }], limit: 2, offset: 0 });
    await storage.snapshot((reader) => keptLabels(reader));
  }
  expect(await keptLabels(storage)).toEqual(["a", "b", "c", "d"]);
}

requirement("postgres.pooling", "nothing of a session is changed on a pooled connection", async () => {
  const { ofSession, pool } = watchedPool();
  await use(await open({ pool, pooling: "transaction", searchIndexFrom: 1 }));
  expect(ofSession).toEqual([]);
});

test("without a pooler, statements that come again are prepared", async () => {
  const { ofSession, pool } = watchedPool();
  await use(await open({ pool }));
  expect(ofSession).not.toEqual([]);
});

testOnServer("a transaction has the limit of statements that a pooled connection lacks", async () => {
  const storage = postgresStorage({
    connectionString: postgresUrl ?? "",
    schema: database.newSchema(),
    pooling: "transaction",
    statementTimeoutMs: 7_000,
  });
  onTestFinished(() => storage.close());
  await storage.open(tables);
  const read = "select current_setting('statement_timeout') as value";
  const { rows } = await storage.transaction((tx) => clientOf(tx).query(read));
  expect(rows).toEqual([{ value: "7s" }]);
  expect(storage.signals).toBeUndefined();
});

testOnServer("indexes and notices use the connections that keep their session", async () => {
  const storage = await open({
    connectionString: postgresUrl ?? "",
    sessionConnectionString: postgresUrl ?? "",
    pooling: "transaction",
    searchIndexFrom: 1,
  });
  expect(storage.signals).toBeDefined();
  await use(storage);
  const criteria = { sort: [{ column: "pages", direction: "asc" }] } as const;
  await buildIndexes(storage, { scope: { kind: "global" }, table: books, criteria });
  expect((await storage.readIndexProgress?.())?.map(({ state }) => state)).toContain("ready");
});

describe("options that do not go together are refused:", () => {
  const url = "postgres://x";
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ pooling: "statement" }, /pooling must be/],
    [{ sessionConnectionString: url }, /goes with pooling/],
    [{ pooling: "transaction", notify: true }, /needs sessionConnectionString/],
    [{ isDistributed: true, notify: true }, /notify must be false/],
  ];
  test.each(wrong)("%j", (options, message) => {
    expect(() => postgresStorage({ connectionString: url, ...options })).toThrow(message);
  });
});
