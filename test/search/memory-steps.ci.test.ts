import { memoryStorage } from "latchkey/memory";
import { type Criteria, type Filter, globalScope, type SearchPage, type Storage, tenantScope } from "latchkey/ports";
import { expect, test } from "vitest";
import { books, idOf, north, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { requirement } from "../support/requirement.js";

const label = (number: number): string => `n${String(number).padStart(6, "0")}`;
const size = 12_000;

async function open(count: number): Promise<Storage> {
  const storage = memoryStorage();
  await storage.open(tables);
  await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  const records = Array.from({ length: count }, (_, number) => {
    const tenantId = idOf(number % 12 === 0 ? "south" : "north");
    return toBook(label(number), { pages: (number * 7_919) % 1_000, isLent: number % 3 === 0 }, { tenantId });
  });
  await storage.transaction((tx) => tx.insert(globalScope, books, records));
  return storage;
}

const isLent: Filter = { op: "equals", column: "isLent", value: true };
const sort = [{ column: "pages", direction: "desc" }] as const;

/** Turns of the event loop until a search is over. */
async function turnsOf(search: Promise<SearchPage>): Promise<readonly [turns: number, page: SearchPage]> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const page = await search;
  isOver = true;
  return [turns, page];
}

requirement("search.memory-steps", "a search in memory lets others have their turn, and answers one state", async () => {
  const storage = await open(size);
  const criteria: Criteria = { filter: isLent, sort, limit: 5, offset: 2 };
  const expected = await storage.search(globalScope, books, criteria);
  const searching = storage.search(globalScope, books, criteria);
  // Written while it looks: the last record goes, the first is no more lent, and another comes.
  const writing = storage.transaction(async (tx) => {
    await tx.remove(globalScope, books, { op: "in", column: "id", values: [idOf(label(size - 3)), ...ids(expected)] });
    await tx.insert(north, books, [toBook(label(size), { pages: 2_000, isLent: true })]);
  });
  const [turns, page] = await turnsOf(searching);
  await writing;
  expect(turns).toBeGreaterThanOrEqual(size / 1_000 - 2);
  expect(page).toEqual(expected);
  expect(page.total).toBe(size / 3);
  const after = await storage.search(globalScope, books, criteria);
  expect(after.total).toBe(size / 3 - 1 - 5 + 1);
  expect((await storage.search(globalScope, books, { ...criteria, offset: 0, limit: 1 })).records[0]?.id).toBe(idOf(label(size)));
  await storage.close();
});

requirement("search.memory-steps", "small searches of a large table in memory take one step", async () => {
  const storage = await open(size);
  for (const [scope, filter] of [
    [tenantScope(idOf("south")), isLent],
    [globalScope, { op: "in", column: "id", values: [idOf(label(1))] }],
    [globalScope, { op: "equals", column: "title", value: "none" }],
  ] as const) {
    const [turns] = await turnsOf(storage.search(scope, books, { filter, sort, limit: 5, offset: 0 }));
    expect(turns).toBeLessThanOrEqual(1);
  }
  await storage.close();
});

test("pages of a search in steps follow each other", async () => {
  const storage = await open(size);
  const seen: string[] = [];
  let page = await storage.search(north, books, { filter: isLent, sort, limit: 1_000, offset: 0 });
  for (;;) {
    seen.push(...ids(page));
    if (page.last === undefined || page.records.length < 1_000) break;
    page = await storage.search(north, books, { filter: isLent, sort, limit: 1_000, offset: 0, after: page.last });
  }
  expect(new Set(seen).size).toBe(page.total);
  expect(seen).toHaveLength(page.total);
  await storage.close();
});

function ids({ records }: SearchPage): readonly string[] {
  return records.map(({ id }) => id);
}
