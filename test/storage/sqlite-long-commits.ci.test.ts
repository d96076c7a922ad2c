import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { type Kysely, sql } from "kysely";
import { globalScope, type RecordToStore, type Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { afterEach, expect, test, vi } from "vitest";
import { keep } from "../contract/storage/kit.js";
import { books, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { temporaryFiles } from "./support/temporary-files.js";

vi.mock("node:worker_threads", { spy: true });

/** How long a busy machine may take. */
const patience = { timeout: 20_000 };

const newFile = temporaryFiles();
const many = 3_000;
const manyBooks: readonly RecordToStore[] = Array.from({ length: many }, (_, index) =>
  toBook(`book ${index}`, {}, { json: JSON.stringify({ label: "x".repeat(1_000) }) }),
);

const toClose: Storage<unknown>[] = [];
afterEach(async () => {
  for (const storage of toClose.splice(0)) await storage.close();
});

async function open(filename: string): Promise<Storage<Kysely<unknown>>> {
  const storage = sqliteStorage({ filename });
  toClose.push(storage);
  await storage.open(tables);
  await keep(storage, tenants, tenantsToStart);
  return storage;
}

function countBooks(filename: string): unknown {
  const database = new Database(filename, { readonly: true });
  const count = database.prepare("select count(*) from latchkey_books").pluck().get();
  database.close();
  return count;
}

async function autocheckpointOf(storage: Storage<Kysely<unknown>>): Promise<unknown> {
  const pragma = sql<{ wal_autocheckpoint: number }>`pragma wal_autocheckpoint`;
  return storage.transaction(async (tx) => (await pragma.execute(tx.native)).rows[0]?.wal_autocheckpoint);
}

test("the log of a long transaction is written back beside the event loop, and short ones go on as before", async () => {
  const filename = newFile();
  const storage = await open(filename);
  const before = statSync(filename).size;
  await keep(storage, books, manyBooks);
  await vi.waitFor(() => expect(statSync(filename).size).toBeGreaterThan(before + many * 1_000), patience);
  await vi.waitFor(async () => expect(await autocheckpointOf(storage)).toBe(4_000), patience);
  expect(countBooks(filename)).toBe(many);
});

test("the log stays short while long transactions and short ones follow each other", async () => {
  const filename = newFile();
  const storage = await open(filename);
  let longest = 0;
  let isOver = false;
  const writeShort = async (): Promise<void> => {
    for (let number = 0; !isOver; number++) {
      await keep(storage, books, [toBook(`short ${number}`)]);
      longest = Math.max(longest, statSync(`${filename}-wal`).size);
    }
  };
  const short = writeShort();
  for (let number = 0; number < 40; number++)
    await storage.transaction(
      (tx) =>
        tx.insert(
          globalScope,
          books,
          manyBooks.map((book, index) => ({ ...toBook(`long ${number} ${index}`), json: book.json })),
        ),
      { isLong: true },
    );
  isOver = true;
  await short;
  // All of it has more than 160 MiB.
  expect(longest).toBeLessThan(100 * 2 ** 20);
}, 60_000);

test("closing waits for what is written back, and leaves one file with everything", async () => {
  const filename = newFile();
  const storage = await open(filename);
  await keep(storage, books, manyBooks);
  toClose.length = 0;
  await storage.close();
  expect(existsSync(`${filename}-wal`)).toBe(false);
  const copy = newFile();
  writeFileSync(copy, readFileSync(filename));
  expect(countBooks(copy)).toBe(many);
});

test("a long transaction that fails leaves nothing, and long ones that follow each other are all kept", async () => {
  const storage = await open(newFile());
  const failing = storage.transaction(async (tx) => {
    await tx.insert(globalScope, books, manyBooks);
    throw new RangeError("no");
  });
  await expect(failing).rejects.toThrow(RangeError);
  await keep(storage, books, manyBooks);
  for (const version of [2, 3]) {
    const next = manyBooks.map((book) => ({ ...book, version }));
    await storage.transaction((tx) => tx.rewrite(globalScope, books, next));
  }
  const found = await storage.find(globalScope, books, { op: "equals", column: "version", value: 3 });
  expect(found).toHaveLength(many);
});

test("where there can be no threads, the commits after it write back", async () => {
  vi.mocked(Worker).mockThrowOnce(new Error("no threads"));
  const filename = newFile();
  const storage = await open(filename);
  await keep(storage, books, manyBooks);
  await vi.waitFor(async () => expect(await autocheckpointOf(storage)).toBe(4_000), patience);
  expect(countBooks(filename)).toBe(many);
});

test("the log stays within its bounds however many long transactions follow one another", { timeout: 60_000 }, async () => {
  const filename = newFile();
  const storage = await open(filename);
  const json = JSON.stringify({ label: "x".repeat(40_000) });
  for (let round = 0; round < 6; round++) {
    const more = Array.from({ length: 2_100 }, (_, index) => toBook(`book ${round} ${index}`, {}, { json }));
    await keep(storage, books, more);
  }
  // Without bounds it would hold all of it: half a gibibyte.
  expect(statSync(`${filename}-wal`).size).toBeLessThan(400 * 1_024 * 1_024);
  expect(countBooks(filename)).toBe(6 * 2_100);
});
