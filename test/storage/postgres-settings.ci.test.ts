import type { Kysely } from "kysely";
import type { Storage, Table } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { afterEach, describe, expect, test } from "vitest";
import { keep, keptLabels, rejectionOf } from "../contract/storage/kit.js";
import { books, shelves, tables, tenants, tenantsToStart, toBook, toRecord } from "../contract/storage/tables.js";
import { clientOf, testDatabase } from "../support/postgres.js";

const database = testDatabase();
const toClose: Storage[] = [];
afterEach(async () => {
  for (const storage of toClose.splice(0)) await storage.close();
});

async function open(
  options: Parameters<typeof database.newStorage>[0],
  given: readonly Table[] = tables,
): Promise<Storage<Kysely<unknown>>> {
  const storage = database.newStorage(options);
  toClose.push(storage);
  await storage.open(given);
  await keep(storage, tenants, tenantsToStart);
  return storage;
}

async function namesIn(schema: string, kind: "r" | "i"): Promise<string[]> {
  const text = "select relname from pg_class where relnamespace = $1::regnamespace and relkind = $2 order by relname";
  return (await database.pool().query(text, [schema, kind])).rows.map(({ relname }) => relname);
}

describe("options", () => {
  test.each([
    [{}, "connectionString.*pool"],
    [{ connectionString: "postgres://x", pool: {} }, "pool must be"],
    [{ connectionString: "postgres://x", tablePrefix: 'a"b' }, "tablePrefix"],
    [{ connectionString: "postgres://x", tablePrefix: "A_" }, "tablePrefix"],
    [{ connectionString: "postgres://x", schema: "a.b" }, "schema"],
    [{ connectionString: "postgres://x", schema: 'a"; drop schema b; --' }, "schema"],
  ])("%j are refused", (options, message) => {
    const given = options as Parameters<typeof postgresStorage>[0];
    expect(() => postgresStorage(given)).toThrow(new RegExp(message));
  });
});

describe("our tables", () => {
  test("stand in the schema and behind the prefix that are asked for, beside those of others", async () => {
    const schema = database.newSchema();
    const [one, two] = [await open({ schema, tablePrefix: "one_" }), await open({ schema, tablePrefix: "two_" })];
    await keep(one, books, [toBook("a")]);
    expect([await keptLabels(one), await keptLabels(two)]).toEqual([["a"], []]);
    const names = await namesIn(schema, "r");
    expect(names.every((name) => /^(one|two)_/.test(name))).toBe(true);
    expect(names).toEqual(expect.arrayContaining(["one_books", "two_book_tags", "one_schema_versions"]));
  });

  test("stand where the connection looks when no schema is named", async () => {
    const schema = database.newSchema();
    await database.pool().query(`create schema ${schema}`);
    const pool = {
      options: { max: 1 },
      connect: async () => {
        const client = await database.pool().connect();
        await client.query(`set search_path to ${schema}`);
        return client;
      },
      end: async () => undefined,
      on: () => undefined,
      off: () => undefined,
    };
    const storage = postgresStorage({ pool });
    toClose.push(storage);
    await storage.open(tables);
    await storage.close();
    expect(await namesIn(schema, "r")).toContain("latchkey_books");
    await database.pool().query("set search_path to public");
  });

  test("may have indexes whose names would be the same if they were cut", async () => {
    const long = "aColumnThatIsTooLongForAnIndexToBeNamed";
    const columns = { [`${long}One`]: { type: "text" }, [`${long}Two`]: { type: "text" } } as const;
    const table: Table = {
      ...shelves,
      name: "long",
      columns,
      indexes: Object.keys(columns).map((column) => ({ columns: [column] })),
    };
    const schema = database.newSchema();
    const storage = await open({ schema }, [...tables, table]);
    await keep(storage, table, [toRecord("a", { [`${long}One`]: "x", [`${long}Two`]: "y" })]);
    expect((await namesIn(schema, "i")).filter((name) => name.startsWith("ix_latchkey_long_"))).toHaveLength(2);
  });
});

describe("a pool of the host", () => {
  test("stays open when the storage closes, and reads numbers as it did", async () => {
    const pool = database.pool();
    const storage = await open({ pool });
    await keep(storage, books, [toBook("a", { pages: 2 ** 40 })]);
    await storage.close();
    expect((await pool.query("select 7::int8 as n")).rows).toEqual([{ n: "7" }]);
    await rejectionOf(storage.ping(), Error);
  });
});

describe("a transaction", () => {
  test.each([
    ["transaction_isolation", "serializable"],
    ["synchronous_commit", "on"],
  ])("has %s set to %s", async (setting, value) => {
    const storage = await open({});
    const { rows } = await storage.transaction((tx) => clientOf(tx).query(`select current_setting('${setting}') as value`));
    expect(rows).toEqual([{ value }]);
  });
});

test("stored records are there when the schema is opened again, each statement prepared once", async () => {
  const schema = database.newSchema();
  const storage = await open({ schema });
  await keep(storage, books, [toBook("a", { subtitle: "\u{1f600}" })]);
  for (let time = 0; time < 5; time++) await keptLabels(storage, { op: "equals", column: "title", value: "a" });
  await storage.close();
  const again = database.newStorage({ schema });
  toClose.push(again);
  await again.open(tables);
  expect(await keptLabels(again, { op: "equals", column: "subtitle", value: "\u{1f600}" })).toEqual(["a"]);
});

test("goes on when it has seen more statements than it remembers", async () => {
  const storage = await open({});
  await keep(storage, books, [toBook("a")]);
  const countPrepared = async (): Promise<number> => {
    const question = "select count(*)::int as n from pg_prepared_statements";
    return (await storage.transaction((tx) => clientOf(tx).query<{ n: number }>(question))).rows[0]?.n ?? Number.NaN;
  };
  const before = await countPrepared();
  for (let limit = 1; limit <= 420; limit++)
    for (let time = 0; time < 2; time++)
      expect(await storage.find({ kind: "global" }, books, undefined, { limit })).toHaveLength(1);
  expect((await countPrepared()) - before).toBeLessThan(800);
});
