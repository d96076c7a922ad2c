import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { type Kysely, sql } from "kysely";
import { globalScope, type Storage, StorageUnavailable } from "latchkey/ports";
import { expect, test, vi } from "vitest";
import { books, idOf, toBook } from "../contract/storage/tables.js";
import { eventually } from "../support/eventually.js";
import { sqliteOpener, threads } from "./support/sqlite-threads.js";
import { temporaryFiles } from "./support/temporary-files.js";

vi.mock("node:worker_threads", { spy: true });

const newFile = temporaryFiles();
type Books = Storage<Kysely<unknown>>;

const opened = sqliteOpener();
const open = (filename = newFile()): Promise<Books> => opened({ filename });

const long = { isLong: true } as const;
const add = (storage: Books, label: string, options = {}): Promise<void> =>
  storage.transaction((tx) => tx.insert(globalScope, books, [toBook(label)]), options);
const has = async (storage: Books, label: string): Promise<boolean> =>
  (await storage.retrieve(globalScope, books, idOf(label))) !== undefined;

test("a long transaction is written by one thread, which the next one uses as well", async () => {
  const storage = await open();
  await add(storage, "one", long);
  await add(storage, "two", long);
  expect(await has(storage, "one")).toBe(true);
  expect(await has(storage, "two")).toBe(true);
  expect(threads()).toHaveLength(1);
});

test("short transactions start no thread", async () => {
  const storage = await open();
  await add(storage, "one");
  expect(threads()).toHaveLength(0);
});

test("it is awaited by a call, and not by work in the background", async () => {
  const storage = await open();
  const seen: (boolean | undefined)[] = [];
  const others: Promise<void>[] = [];
  await storage.transaction(async (tx) => {
    await tx.insert(globalScope, books, [toBook("one")]);
    for (const isInBackground of [true, false]) {
      others.push(add(storage, isInBackground ? "two" : "three", { isInBackground }));
      seen.push(tx.isAwaited?.());
    }
  }, long);
  await Promise.all(others);
  expect(seen).toEqual([false, true]);
  expect(await has(storage, "three")).toBe(true);
});

test("while it waits, others read what was there before, and write after it", async () => {
  const storage = await open();
  const written: string[] = [];
  const gate = Promise.withResolvers<void>();
  const inside = Promise.withResolvers<void>();
  const running = storage.transaction(async (tx) => {
    await tx.insert(globalScope, books, [toBook("long")]);
    inside.resolve();
    await gate.promise;
    written.push("long");
  }, long);
  await inside.promise;
  const other = add(storage, "short").then(() => written.push("short"));
  expect(await has(storage, "long")).toBe(false);
  gate.resolve();
  await Promise.all([running, other]);
  expect(written).toEqual(["long", "short"]);
  expect(await has(storage, "long")).toBe(true);
});

test("what it reads is what it has written itself", async () => {
  const storage = await open();
  await add(storage, "before");
  const seen = await storage.transaction(async (tx) => {
    const before = (await tx.find(globalScope, books, undefined)).length;
    await tx.insert(globalScope, books, [toBook("one"), toBook("two")]);
    const ids = await tx.findIds(globalScope, books, "id", undefined);
    await tx.remove(globalScope, books, { op: "equals", column: "id", value: idOf("before") });
    return [before, ids.length, (await tx.search(globalScope, books, { sort: [], limit: 9, offset: 0 })).total];
  }, long);
  expect(seen).toEqual([1, 3, 2]);
});

test("the host's handle works on the very transaction", async () => {
  const storage = await open();
  const count = sql<{ n: number }>`select count(*) as n from latchkey_books`;
  const failing = storage.transaction(async (tx) => {
    await sql`create table own (name text)`.execute(tx.native);
    const { insertId, numAffectedRows } = await sql`insert into own values ('a'), ('b')`.execute(tx.native);
    expect([insertId, numAffectedRows]).toEqual([2n, 2n]);
    await tx.insert(globalScope, books, [toBook("one")]);
    expect((await count.execute(tx.native)).rows).toEqual([{ n: 1 }]);
    throw new RangeError("no");
  }, long);
  await expect(failing).rejects.toThrow(RangeError);
  expect(await has(storage, "one")).toBe(false);
  const found = await storage.transaction(
    async (tx) => (await sql`select name from sqlite_master where name = 'own'`.execute(tx.native)).rows,
  );
  expect(found).toEqual([]);
});

test("a thread that ends by a fault loses its transaction and nothing else", async () => {
  const storage = await open();
  await add(storage, "kept", long);
  const failing = storage.transaction(async (tx) => {
    await tx.insert(globalScope, books, [toBook("lost")]);
    await threads()[0]?.terminate();
    await tx.insert(globalScope, books, [toBook("lost too")]);
  }, long);
  await expect(failing).rejects.toThrow(StorageUnavailable);
  await add(storage, "short");
  await add(storage, "again", long);
  expect(threads()).toHaveLength(2);
  const labels = ["kept", "lost", "lost too", "short", "again"];
  expect(await Promise.all(labels.map((label) => has(storage, label)))).toEqual([true, false, false, true, true]);
});

test("a thread that ends while it commits leaves all of the transaction or nothing", async () => {
  const storage = await open();
  const running = storage.transaction(async (tx) => {
    await tx.insert(globalScope, books, [toBook("one"), toBook("two")]);
    setImmediate(() => void threads()[0]?.terminate());
  }, long);
  const [outcome] = await Promise.allSettled([running]);
  const kept = await Promise.all([has(storage, "one"), has(storage, "two")]);
  expect(kept[0]).toBe(kept[1]);
  if (outcome.status === "fulfilled") expect(kept).toEqual([true, true]);
  else expect(outcome.reason).toBeInstanceOf(StorageUnavailable);
});

test("where there can be no thread, the event loop does the work", async () => {
  vi.mocked(Worker).mockThrowOnce(new Error("no threads"));
  const storage = await open();
  await add(storage, "one", long);
  expect(await has(storage, "one")).toBe(true);
});

test("a database in memory has no thread", async () => {
  const storage = await open(":memory:");
  await add(storage, "one", long);
  expect(await has(storage, "one")).toBe(true);
  expect(threads()).toHaveLength(0);
});

test("it waits for another process that writes", async () => {
  const filename = newFile();
  const storage = await open(filename);
  const other = new Database(filename, { timeout: 60_000 });
  other.exec("begin immediate");
  const running = add(storage, "one", long);
  await eventually(() => expect(threads()).toHaveLength(1));
  // Those who read are not kept waiting.
  for (let turn = 0; turn < 20; turn++) expect(await has(storage, "one")).toBe(false);
  other.exec("commit");
  other.close();
  await running;
  expect(await has(storage, "one")).toBe(true);
});

test("a thread that rests for a while is ended, and another one is started when it is needed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const storage = await open();
  await add(storage, "one", long);
  const exited = new Promise((resolve) => threads()[0]?.once("exit", resolve));
  // The log is written back, which is a use as well.
  await eventually(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(10_000);
  await exited;
  await add(storage, "two", long);
  expect(threads()).toHaveLength(2);
  expect(await has(storage, "two")).toBe(true);
});

test("once the storage is closed, long transactions are refused", async () => {
  const storage = await open();
  await add(storage, "one", long);
  await storage.close();
  await expect(add(storage, "two", long)).rejects.toThrow(StorageUnavailable);
});
