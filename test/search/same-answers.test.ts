import { memoryStorage } from "latchkey/memory";
import {
  type Criteria,
  type Filter,
  globalScope,
  type RecordToStore,
  type SortField,
  type Storage,
  type StoredRecord,
} from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseTextPattern } from "../../src/search/text-pattern.js";
import {
  books,
  bookTags,
  idOf,
  north,
  shelves,
  south,
  tables,
  tenants,
  tenantsToStart,
  toBook,
  toRecord,
} from "../contract/storage/tables.js";
import { hasPostgres, postgresUrl, testDatabase } from "../support/postgres.js";
import { cases, fc } from "../support/properties.js";
import { awkwardText, foldedText } from "./support.js";

const { newStorage } = testDatabase(hasPostgres);

/** The storages that must give the same records in the same order for the same criteria, also while indexes for orders are made. */
const storages = new Map<string, Storage>();

beforeAll(async () => {
  storages.set("memory", memoryStorage());
  storages.set("SQLite", sqliteStorage({ filename: ":memory:", searchIndexFrom: 4 }));
  if (hasPostgres) storages.set("Postgres", newStorage({ searchIndexFrom: 4 }));
  for (const storage of storages.values()) {
    await storage.open(tables);
    await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  }
});
afterAll(() => Promise.all([...storages.values()].map((storage) => storage.close())));

const number = fc.integer({ min: -2, max: 3 });
const label = (index: number): string => `n${100 + index}`;

const anyBook = fc.record({
  subtitle: fc.option(foldedText),
  pages: fc.option(number),
  isLent: fc.boolean(),
  shelf: fc.option(fc.nat(2)),
  isSouthern: fc.boolean(),
  place: fc.constantFrom(
    {},
    { city: "Älmhult" },
    { city: "ROME" },
    { city: 5 },
    { city: true },
    { city: ["rome"] },
    { city: null },
  ),
  genres: fc.constantFrom(null, [], ["Crime"], ["crime", "Spy"], "crime", ["Éa"]),
  tags: fc.uniqueArray(fc.constantFrom("a", "b", "é"), { maxLength: 2 }),
});

/** Everything that the storages are to hold, table by table. */
interface Content {
  readonly shelves: readonly RecordToStore[];
  readonly books: readonly RecordToStore[];
  readonly tags: readonly RecordToStore[];
}

const anyContent: fc.Arbitrary<Content> = fc
  .tuple(fc.array(fc.option(foldedText), { minLength: 3, maxLength: 3 }), fc.array(anyBook, { maxLength: 12 }))
  .map(([shelfNames, list]) => ({
    shelves: shelfNames.map((name, index) => toRecord(`s${index}`, { name })),
    books: list.map(({ subtitle, pages, isLent, shelf, isSouthern, place, genres }, index) =>
      toBook(
        label(index),
        { subtitle, pages, isLent, shelfId: shelf === null ? null : idOf(`s${shelf}`) },
        {
          tenantId: idOf(isSouthern ? "south" : "north"),
          insertInstant: index % 3,
          json: JSON.stringify({ data: place, genres, label: label(index) }),
        },
      ),
    ),
    tags: list.flatMap(({ tags }, index) =>
      tags.map((tag, place) => toRecord(`t${place}${index}`, { bookId: idOf(label(index)), tag })),
    ),
  }));

const pattern = fc.oneof(
  awkwardText.map((text) => parseTextPattern(text)).map((parsed) => (typeof parsed === "string" ? ["", ""] : parsed)),
  fc.array(foldedText, { minLength: 1, maxLength: 4 }),
);
const comparison = fc.constantFrom("<", "<=", ">", ">=");

const relatedFilter: fc.Arbitrary<Filter> = fc.oneof(
  fc.constant({ op: "exists", table: "bookTags", localColumn: "id", foreignColumn: "bookId" } as const),
  fc.constantFrom("a", "b", "é").map(
    (value): Filter => ({
      op: "exists",
      table: "bookTags",
      localColumn: "id",
      foreignColumn: "bookId",
      filter: { op: "equals", column: "tag", value },
    }),
  ),
  pattern.map(
    (parts): Filter => ({
      op: "exists",
      table: "shelves",
      localColumn: "shelfId",
      foreignColumn: "id",
      filter: { op: "matches", column: "name", pattern: parts },
    }),
  ),
);

const singleFilter: fc.Arbitrary<Filter> = fc.oneof(
  fc.option(foldedText).map((value): Filter => ({ op: "equals", column: "subtitle", value })),
  fc.option(number).map((value): Filter => ({ op: "equals", column: "pages", value })),
  fc.boolean().map((value): Filter => ({ op: "equals", column: "isLent", value })),
  fc.array(fc.option(foldedText), { maxLength: 4 }).map((values): Filter => ({ op: "in", column: "subtitle", values })),
  fc.array(fc.option(number), { maxLength: 4 }).map((values): Filter => ({ op: "in", column: "pages", values })),
  fc
    .array(fc.nat(12), { maxLength: 5 })
    .map((list): Filter => ({ op: "in", column: "id", values: list.map((index) => idOf(label(index))) })),
  pattern.map((parts): Filter => ({ op: "matches", column: "subtitle", pattern: parts })),
  fc.tuple(comparison, number).map(([by, value]): Filter => ({ op: "compare", column: "pages", comparison: by, value })),
  fc.tuple(comparison, foldedText).map(([by, value]): Filter => ({ op: "compare", column: "subtitle", comparison: by, value })),
  relatedFilter,
  fc
    .constantFrom("rome", "5", "true", "älmhult", "Älmhult")
    .map((value): Filter => ({ op: "equals", column: "data.city", value })),
  fc.constantFrom("ro", "Älm", "5").map((start): Filter => ({ op: "matches", column: "data.city", pattern: [start, ""] })),
  fc.constantFrom("crime", "spy", "Éa", "éa").map((value): Filter => ({ op: "includes", member: "genres", value })),
);

const { filter: anyFilter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    singleFilter,
    fc.record({ op: fc.constantFrom("and" as const, "or" as const), filters: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ op: fc.constant("not" as const), filter: tie("filter") }),
  ),
}));

const anySort: fc.Arbitrary<SortField[]> = fc
  .uniqueArray(fc.constantFrom("subtitle", "pages", "isLent", "insertInstant", "id", "shelf"), { maxLength: 3 })
  .chain((columns) =>
    fc.tuple(
      ...columns.map((column) =>
        fc.constantFrom("asc" as const, "desc" as const).map((direction) => toSortField(column, direction)),
      ),
    ),
  );

function toSortField(column: string, direction: "asc" | "desc"): SortField {
  return column === "shelf"
    ? { column: "name", direction, via: { table: "shelves", localColumn: "shelfId" } }
    : { column, direction };
}

const anyCriteria: fc.Arbitrary<Criteria> = fc
  .record({ filter: fc.option(anyFilter), isOwn: fc.boolean(), sort: anySort, limit: fc.nat(6), offset: fc.nat(5) })
  .map(({ filter, isOwn, ...rest }) => ({ ...rest, ...(filter && { filter }), ...(isOwn && { ownMembers: ["data.city"] }) }));

async function replaceContent(storage: Storage, content: Content): Promise<void> {
  await storage.transaction(async (tx) => {
    for (const table of [bookTags, books, shelves]) await tx.remove(globalScope, table, undefined);
    await tx.insert(globalScope, shelves, content.shelves);
    await tx.insert(globalScope, books, content.books);
    await tx.insert(globalScope, bookTags, content.tags);
  });
}

const jsonOf = (records: readonly StoredRecord[]): string[] => records.map((record) => record.json);

/** All that a storage answers: in each scope everything that passes, one page, and the pages behind it by keyset. */
async function answersOf(storage: Storage, criteria: Criteria): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const scope of [globalScope, north, south]) {
    answers.push(jsonOf(await storage.find(scope, books, criteria.filter, { sort: criteria.sort })));
    let page = await storage.search(scope, books, criteria);
    for (let pages = 0; pages < 20; pages++) {
      answers.push([jsonOf(page.records), page.total, page.last?.id]);
      if (page.last === undefined) break;
      page = await storage.search(scope, books, { ...criteria, offset: 0, after: page.last });
    }
  }
  return answers;
}

// An embedded Postgres takes ten times as long.
const onPostgres = hasPostgres ? { Postgres: cases(postgresUrl === undefined ? 40 : 100) } : {};
const runs = { SQLite: cases(400), ...onPostgres };

test.each(Object.entries(runs))(
  "memory and %s give the same records in the same order for any criteria",
  { timeout: 120_000 },
  async (name, parameters) => {
    const [memory, other] = [storages.get("memory") as Storage, storages.get(name) as Storage];
    const property = fc.asyncProperty(
      anyContent,
      fc.array(anyCriteria, { minLength: 6, maxLength: 6 }),
      async (content, list) => {
        for (const storage of [memory, other]) await replaceContent(storage, content);
        for (const criteria of list) expect(await answersOf(other, criteria)).toEqual(await answersOf(memory, criteria));
      },
    );
    await fc.assert(property, parameters);
  },
);
