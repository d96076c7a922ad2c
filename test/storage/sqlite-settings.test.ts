import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { type Kysely, sql } from "kysely";
import { globalScope, type Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { afterEach, describe, expect, test } from "vitest";
import { keep, keptLabels } from "../contract/storage/kit.js";
import { books, idOf, north, shelves, tables, tenants, tenantsToStart, toBook, toRecord } from "../contract/storage/tables.js";
import { requirement } from "../support/requirement.js";
import { temporaryFiles } from "./support/temporary-files.js";

const newFile = temporaryFiles();
const toClose: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await each.close();
});

async function open(filename: string, tablePrefix?: string): Promise<Storage<Kysely<unknown>>> {
  const storage = sqliteStorage({ filename, ...(tablePrefix !== undefined && { tablePrefix }) });
  toClose.push(storage);
  await storage.open(tables);
  await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  return storage;
}

function openRaw(filename: string): Database.Database {
  const database = new Database(filename, { timeout: 60_000 });
  toClose.push(database);
  return database;
}

describe("the connection that writes", () => {
  test.each([
    ["journal_mode", "wal"],
    ["synchronous", 2],
    ["foreign_keys", 1],
    ["busy_timeout", 0],
  ])("has %s set to %s", async (pragma, value) => {
    const storage = await open(newFile());
    const rows = await storage.transaction(async (tx) => (await sql.raw(`pragma ${pragma}`).execute(tx.native)).rows);
    expect(Object.values(rows[0] as object)).toEqual([value]);
  });
});

test("references are enforced", async () => {
  const storage = await open(newFile());
  await expect(keep(storage, books, [toBook("a", { shelfId: idOf("none") })])).rejects.toThrow("refers to one that is not there");
  await expect(keep(storage, shelves, [toRecord("s", {}, { tenantId: idOf("none") })])).rejects.toThrow(
    "refers to one that is not there",
  );
  await keep(storage, shelves, [toRecord("s", { name: "x" })]);
  await keep(storage, books, [toBook("a", { shelfId: idOf("s") }), toBook("b")]);
  await storage.transaction((tx) => tx.remove(north, shelves, undefined));
  expect(await keptLabels(storage)).toEqual(["b"]);
});

test("a file is durable and shared, a database in memory is neither", async () => {
  const both = [await open(newFile()), await open(":memory:")].map((storage) => storage.capabilities);
  expect(both).toEqual([
    { isDurable: true, isShared: true, hasHandle: true },
    { isDurable: false, isShared: false, hasHandle: true },
  ]);
});

test("two prefixes keep two services apart in one file", async () => {
  const filename = newFile();
  const [one, two] = [await open(filename, "one_"), await open(filename, "two_")];
  await keep(one, books, [toBook("a")]);
  expect([await keptLabels(one), await keptLabels(two)]).toEqual([["a"], []]);
  const names = openRaw(filename).prepare("select name from sqlite_master where name not like 'sqlite_%'").pluck().all();
  expect((names as string[]).filter((name) => !/^(?:[iu][xq]_)?(?:one|two)_/.test(name))).toEqual([]);
});

test.each(["Users_", "1x", 'x"; drop table y; --', "x".repeat(40), "é_"])("refuses the prefix %j", (tablePrefix) => {
  expect(() => sqliteStorage({ filename: ":memory:", tablePrefix })).toThrow(TypeError);
});

test("refuses a file in a folder that does not exist", () => {
  expect(() => sqliteStorage({ filename: join(newFile(), "none", "x.db") })).toThrow(
    "does not exist. Create it, or pass another filename.",
  );
});

/** How many commits the write-ahead log holds: a frame that ends one says how large the database is after it. */
function countCommits(filename: string): number {
  const log = readFileSync(`${filename}-wal`);
  const frameSize = 24 + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let commits = 0;
  for (let frame = 32; frame + frameSize <= log.length; frame += frameSize)
    if (log.subarray(frame + 8, frame + 16).equals(salts) && log.readUInt32BE(frame + 4) !== 0) commits++;
  return commits;
}

test("transactions that wait are flushed by one commit, and those that fail undo only themselves", async () => {
  const filename = newFile();
  const storage = await open(filename);
  const before = countCommits(filename);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      storage.transaction(async (tx) => {
        await tx.insert(globalScope, books, [toBook(`n${100 + index}`)]);
        if (index % 5 === 0) throw new RangeError("undo");
      }),
    ),
  );
  expect(countCommits(filename) - before).toBe(1);
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(40);
  expect(await keptLabels(storage)).toHaveLength(40);
  await keep(storage, books, [toBook("later")]);
  expect(countCommits(filename) - before).toBe(2);
});

test("while another process writes, reads are answered and writes wait", async () => {
  const filename = newFile();
  const storage = await open(filename);
  await keep(storage, books, [toBook("a")]);
  const other = openRaw(filename);
  other.exec("begin immediate");
  other.exec("update latchkey_books set title = 'changed'");
  const write = keep(storage, books, [toBook("b")]);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(await keptLabels(storage, { op: "equals", column: "title", value: "a" })).toEqual(["a"]);
  other.exec("commit");
  await write;
  expect(await keptLabels(storage)).toEqual(["a", "b"]);
  expect(await keptLabels(storage, { op: "equals", column: "title", value: "changed" })).toEqual(["a"]);
});

test("goes on when it has seen more statements than it remembers", async () => {
  const storage = await open(newFile());
  await keep(storage, books, [toBook("a")]);
  for (let limit = 1; limit <= 600; limit++) expect(await storage.find(north, books, undefined, { limit })).toHaveLength(1);
  await keep(storage, books, [toBook("b")]);
  expect(await keptLabels(storage)).toEqual(["a", "b"]);
});

test("stored records are there when the file is opened again", async () => {
  const filename = newFile();
  const storage = await open(filename);
  await keep(storage, books, [toBook("a", { subtitle: "\u{1f600}" })]);
  await storage.close();
  const again = sqliteStorage({ filename });
  toClose.push(again);
  await again.open(tables);
  expect(await keptLabels(again, { op: "equals", column: "subtitle", value: "\u{1f600}" })).toEqual(["a"]);
});

requirement(
  "sqlite.relative-file",
  "a relative path stays the path of one file when the process changes its folder",
  async () => {
    const file = newFile();
    const before = process.cwd();
    try {
      process.chdir(dirname(file));
      const storage = sqliteStorage({ filename: basename(file), readerThreadsFrom: 1 });
      toClose.push(storage);
      await storage.open(tables);
      await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
      await keep(storage, books, [toBook("a"), toBook("b")]);
      process.chdir(before);
      const found = await storage.search(north, books, { sort: [{ column: "title", direction: "asc" }], limit: 9, offset: 0 });
      expect(found.records).toHaveLength(2);
      expect(await storage.snapshot((reader) => reader.find(north, books, undefined))).toHaveLength(2);
      await storage.transaction((tx) => tx.insert(globalScope, books, [toBook("c")]), { isLong: true });
      expect(await keptLabels(storage)).toEqual(["a", "b", "c"]);
    } finally {
      process.chdir(before);
    }
  },
);
