import { readdirSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type Criteria, type Filter, globalScope, type SearchPage, type Storage, StorageUnavailable } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, test, vi } from "vitest";
import { createGate, keep, keptLabels, labelsOf } from "../contract/storage/kit.js";
import { books, idOf, north, tenants, toBook } from "../contract/storage/tables.js";
import { buildIndexes } from "../search/support.js";
import { requirement } from "../support/requirement.js";
import { sqliteOpener, threads } from "./support/sqlite-threads.js";
import { temporaryFiles } from "./support/temporary-files.js";

vi.mock("node:worker_threads", { spy: true });

const newFile = temporaryFiles();
const opened = sqliteOpener();
const open = (options: Partial<Parameters<typeof sqliteStorage>[0]> = {}): Promise<Storage> =>
  opened({ filename: newFile(), readerThreadsFrom: 10, ...options });

const labels = (count: number): string[] => Array.from({ length: count }, (_, index) => `book ${index}`);
const fill = (storage: Storage, count = 10): Promise<void> =>
  keep(
    storage,
    books,
    labels(count).map((label) => toBook(label, { isbn: label })),
  );
const criteria: Criteria = { sort: [{ column: "title", direction: "asc" }], limit: 100, offset: 0 };
const search = (storage: Storage, filter?: Filter): Promise<SearchPage> =>
  storage.search(north, books, { ...criteria, ...(filter && { filter }) });

requirement(
  "sqlite.readers",
  "what looks through a large table runs beside the event loop, in one thread for one after the other",
  async () => {
    const storage = await open();
    await fill(storage);
    await search(storage);
    const asking = vi.spyOn(threads()[0] as Worker, "postMessage");
    const contains = { op: "matches", column: "title", pattern: ["", "ook", ""] } as const;
    for (const read of [
      () => search(storage),
      () => search(storage, contains),
      () => storage.find(globalScope, books, undefined),
      () => storage.find(globalScope, books, contains),
      () => storage.findIds(globalScope, books, "id", undefined),
    ]) {
      asking.mockClear();
      await read();
      expect(asking).toHaveBeenCalled();
    }
    expect(threads()).toHaveLength(1);
  },
);

test.runIf(process.platform === "linux")(
  "a thread that reads gives way to the event loop, and one that writes does not",
  async () => {
    // Niceness is the seventeenth number behind the name of a thread.
    const niceness = (): readonly number[] =>
      readdirSync("/proc/self/task").map((id) =>
        Number(readFileSync(`/proc/self/task/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ")[16]),
      );
    const storage = await open();
    await storage.transaction(
      (tx) =>
        tx.insert(
          globalScope,
          books,
          labels(10).map((label) => toBook(label)),
        ),
      { isLong: true },
    );
    expect(threads()).toHaveLength(1);
    expect(niceness()).not.toContain(5);
    await search(storage);
    expect(threads()).toHaveLength(2);
    expect(niceness()).toContain(5);
  },
);

requirement("sqlite.readers", "what is found by a key, and what is small, is read by the event loop", async () => {
  const storage = await open();
  await fill(storage);
  const byId = { op: "equals", column: "id", value: idOf("book 1") } as const;
  const byKey = { op: "equals", column: "isbn", value: "book 1" } as const;
  for (const read of [
    () => storage.retrieve(globalScope, books, idOf("book 1")),
    () => search(storage, byId),
    () => search(storage, { op: "and", filters: [byKey] }),
    () => search(storage, { op: "matches", column: "isbn", pattern: ["book 1"] }),
    () => search(storage, { op: "equals", column: "title", value: "book 1" }),
    () => search(storage, { op: "in", column: "id", values: [idOf("book 1")] }),
    () => storage.find(globalScope, books, { op: "equals", column: "shelfId", value: idOf("none") }),
    () => storage.find(globalScope, books, undefined, { limit: 1 }),
    () => storage.search(globalScope, tenants, { sort: [], limit: 10, offset: 0 }),
    () => storage.transaction((tx) => tx.search(globalScope, books, criteria)),
  ])
    await read();
  expect(threads()).toHaveLength(0);
});

test("a table counts as large by what it has, not by what it had", async () => {
  const storage = await open();
  await fill(storage);
  await storage.transaction((tx) => tx.remove(globalScope, books, undefined));
  await search(storage);
  expect(threads()).toHaveLength(0);
});

test.each([{ readerThreads: 0 }, { filename: ":memory:" }])("with %j the event loop reads everything", async (options) => {
  const storage = await open({ readerThreadsFrom: 0, ...options });
  await fill(storage);
  expect((await search(storage)).total).toBe(10);
  expect(threads()).toHaveLength(0);
});

test("where there can be no thread, the event loop reads everything, and does not try again and again", async () => {
  vi.mocked(Worker).mockThrowOnce(new Error("no threads"));
  const storage = await open({ readerThreads: 1 });
  await fill(storage);
  for (let turn = 0; turn < 3; turn++) expect((await search(storage)).total).toBe(10);
  expect(vi.mocked(Worker)).toHaveBeenCalledTimes(1);
});

requirement("storage.snapshot", "where there can be no thread, a snapshot has a connection of its own", async () => {
  vi.mocked(Worker).mockThrowOnce(new Error("no threads"));
  const storage = await open();
  await fill(storage);
  await storage.snapshot(async (reader) => {
    await storage.transaction((tx) => tx.remove(globalScope, books, undefined));
    expect(await keptLabels(reader)).toHaveLength(10);
  });
  expect(await keptLabels(storage)).toEqual([]);
});

requirement("sqlite.readers", "many searches at once share the threads there may be, and all are answered", async () => {
  const storage = await open({ readerThreads: 2 });
  await fill(storage);
  const pages = await Promise.all(Array.from({ length: 40 }, () => search(storage)));
  expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([10]));
  expect(threads()).toHaveLength(2);
});

requirement(
  "sqlite.readers",
  "a search sees what was acknowledged before it, and its total fits its page, while others write",
  async () => {
    const storage = await open();
    await fill(storage);
    let acknowledged = 10;
    const end = createGate();
    const searching = (async () => {
      for (let turn = 0; turn < 60; turn++) {
        const least = acknowledged;
        const { records, total } = await search(storage);
        expect(records).toHaveLength(total);
        expect(total).toBeGreaterThanOrEqual(least);
        expect(total % 2).toBe(0);
      }
      end.open();
    })();
    let isOver = false;
    void end.opened.then(() => {
      isOver = true;
    });
    for (let turn = 0; turn < 40 && !isOver; turn++) {
      await keep(storage, books, [toBook(`one ${turn}`), toBook(`two ${turn}`)]);
      acknowledged += 2;
    }
    await searching;
  },
);

requirement("sqlite.readers", "the total of a further page is right when something was written in between", async () => {
  const storage = await open({ readerThreads: 1 });
  await fill(storage, 20);
  expect((await search(storage)).total).toBe(20);
  await keep(storage, books, [toBook("later")]);
  const page = await storage.search(north, books, { ...criteria, limit: 3, offset: 18 });
  expect([page.total, page.records.length]).toEqual([21, 3]);
});

requirement(
  "sqlite.readers",
  "a thread that ends by a fault fails its search alone, and the next one starts another",
  async () => {
    const storage = await open({ readerThreads: 1 });
    await fill(storage);
    await search(storage);
    const failing = search(storage);
    void threads()[0]?.terminate();
    await expect(failing).rejects.toThrow(StorageUnavailable);
    expect(labelsOf((await search(storage)).records)).toHaveLength(10);
    expect(threads()).toHaveLength(2);
  },
);

test("a thread of a snapshot that ends by a fault fails the snapshot alone", async () => {
  const storage = await open();
  await fill(storage);
  const failing = storage.snapshot(async (reader) => {
    await keptLabels(reader);
    await threads()[0]?.terminate();
    await keptLabels(reader);
  });
  await expect(failing).rejects.toThrow(StorageUnavailable);
  expect(await storage.snapshot((reader) => keptLabels(reader))).toHaveLength(10);
});

test("what was asked for is answered before the storage closes, and nothing afterwards", async () => {
  const storage = await open({ readerThreads: 1 });
  await fill(storage);
  const first = search(storage);
  await new Promise((resolve) => setImmediate(resolve));
  const closing = storage.close();
  expect((await first).total).toBe(10);
  await closing;
  await expect(search(storage)).rejects.toThrow(StorageUnavailable);
});

requirement("sqlite.readers", "a thread ends when it has rested, and no process waits for it", async () => {
  const storage = await open({ readerThreads: 1 });
  await fill(storage);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await search(storage);
  const [thread] = threads();
  const ended = new Promise((resolve) => thread?.once("exit", resolve));
  vi.advanceTimersByTime(10_000);
  await ended;
  await search(storage);
  expect(threads()).toHaveLength(2);
});

test.each([{ readerThreads: -1 }, { readerThreads: 1.5 }, { readerThreadsFrom: -1 }, { readerThreadsFrom: Number.NaN }])(
  "refuses %j",
  (options) => {
    expect(() => sqliteStorage({ filename: newFile(), ...options })).toThrow(TypeError);
  },
);

requirement(
  "sqlite.readers",
  "the rows of a table that gets an index are counted in a thread, and not while others wait to write",
  async () => {
    const asking = vi.spyOn(Worker.prototype, "postMessage");
    const storage = await open({ searchIndexFrom: 10 });
    await fill(storage);
    const filter = { op: "matches", column: "title", pattern: ["", "abc", ""] } as const;
    const descending = { filter, sort: [{ column: "subtitle", direction: "desc" }] } as const;
    const building = buildIndexes(storage, { scope: north, table: books, criteria: descending });
    const threadsWith = (text: string): unknown[] =>
      asking.mock.contexts.filter((_, index) => JSON.stringify(asking.mock.calls[index]).includes(text));
    await vi.waitFor(() => expect(threadsWith("sx_latchkey_books")).toHaveLength(1), { timeout: 20_000 });
    // For the index of substrings what is in it and what is to be, and for the index of the order.
    const counting = (): unknown[] => threadsWith("select count(*) as n from");
    await building;
    expect(counting()).toHaveLength(3);
    const [writer] = threadsWith("sx_latchkey_books");
    expect(counting()).not.toContain(writer);
    asking.mockRestore();
  },
);
