import { join } from "node:path";
import { memoryStorage } from "latchkey/memory";
import {
  type Criteria,
  type Filter,
  globalScope,
  type IndexedSearch,
  type Storage,
  type StoredRecord,
  type Table,
  type TenantScope,
} from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { parseTextPattern } from "../../src/search/text-pattern.js";
import { foldText } from "../../src/shared/text.js";
import { books, idOf, north, south, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { cases, fc, isLong } from "../support/properties.js";
import { makeDirectory } from "../support/temporary.js";
import { buildIndexes } from "./support.js";

/** A pool of one on an embedded Postgres, which has the extension for trigrams or not. It prefers indexes, few as the records are. */
async function newPool(hasTrigrams: boolean): Promise<pg.Pool> {
  const { PGlite } = await import("@electric-sql/pglite");
  const { pg_trgm } = await import("@electric-sql/pglite/contrib/pg_trgm");
  const { PGLiteSocketServer } = await import("@electric-sql/pglite-socket");
  const db = await PGlite.create({ extensions: hasTrigrams ? { pg_trgm } : {} });
  const server = new PGLiteSocketServer({ db, port: 0, maxConnections: 4 });
  await server.start();
  const [host, port] = server.getServerConn().split(":");
  const pool = new pg.Pool({ host, port: Number(port), user: "postgres", database: "postgres", max: 1, idleTimeoutMillis: 0 });
  await pool.query("set enable_seqscan to off");
  onTestFinished(async () => {
    await pool.end();
    await server.stop();
    await db.close();
  });
  return pool;
}

// Few letters, so that texts have much in common, and all that tokenizers, quotes and folding could trip over.
const letter = fc.constantFrom("a", "a", "b", "B", "%", "_", "\\", '"', "'", "*", "é", "e\u0301", "İ", "ß", "\u{10400}", " ");
const word = fc.constantFrom("abab", 'a"b', "%_a", "é\\a", "ÉAß", "b\u{10400}\u{10400}");
const text = fc.array(fc.oneof(letter, word), { maxLength: 6 }).map((list) => list.join(""));
const labels = Array.from({ length: 40 }, (_, index) => `n${100 + index}`);

/** What happens to a table: a book gets other texts, comes or goes. */
type Change = { readonly label: string; readonly title: string; readonly subtitle: string | null; readonly isSouthern: boolean };

const change: fc.Arbitrary<Change | { readonly gone: string }> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ label: fc.constantFrom(...labels), title: text, subtitle: fc.option(text), isSouthern: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ gone: fc.constantFrom(...labels) }) },
);

async function apply(storage: Storage, table: Table, changes: readonly (Change | { readonly gone: string })[]): Promise<void> {
  await storage.transaction(async (tx) => {
    for (const change of changes) {
      const label = "gone" in change ? change.gone : change.label;
      const kept = await tx.retrieve(globalScope, table, idOf(label));
      const isMoved =
        kept !== undefined && "isSouthern" in change && kept.tenantId !== idOf(change.isSouthern ? "south" : "north");
      if ("gone" in change || isMoved) await tx.remove(globalScope, table, { op: "equals", column: "id", value: idOf(label) });
      if ("gone" in change) continue;
      const book = toBook(
        label,
        { title: `${foldText(change.title)}${label}`, subtitle: change.subtitle === null ? null : foldText(change.subtitle) },
        { tenantId: idOf(change.isSouthern ? "south" : "north"), version: isMoved ? 1 : (kept?.version ?? 0) + 1 },
      );
      if (kept === undefined || isMoved) await tx.insert(globalScope, table, [book]);
      else await tx.update(globalScope, table, book);
    }
  });
}

const looked = fc.oneof(
  word,
  text,
  fc.tuple(word, word).map(([one, other]) => `*${one}*${other}*`),
);
const pattern = looked.map((filter): Filter => {
  const parsed = parseTextPattern(filter);
  return { op: "matches", column: "title", pattern: typeof parsed === "string" ? ["", "a", ""] : parsed };
});
const inSubtitle = pattern.map((filter): Filter => ({ ...filter, column: "subtitle" }) as Filter);
const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 3, arbitrary: pattern },
  inSubtitle,
  fc.record({ op: fc.constantFrom("and" as const, "or" as const), filters: fc.tuple(pattern, inSubtitle) }),
  fc.record({
    op: fc.constant("and" as const),
    filters: fc.tuple(pattern, fc.record({ op: fc.constant("not" as const), filter: inSubtitle })),
  }),
);
const criteria: fc.Arbitrary<Criteria> = fc.record({
  filter,
  sort: fc.constantFrom(
    [],
    [{ column: "title", direction: "asc" as const }],
    [{ column: "title", direction: "desc" as const }],
    [
      { column: "subtitle", direction: "asc" as const },
      { column: "title", direction: "desc" as const },
    ],
    [{ column: "isLent", direction: "asc" as const }],
  ),
  limit: fc.nat(4),
  offset: fc.nat(12),
});

const labelsOf = (records: readonly StoredRecord[]): string[] => records.map(({ id }) => id.slice(-8));

/** A page by offset and the pages behind the first one. */
async function answersOf(storage: Storage, table: Table, scope: TenantScope, criteria: Criteria): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let page = await storage.search(scope, table, criteria); ; ) {
    answers.push([labelsOf(page.records), page.total]);
    if (page.last === undefined || answers.length > 30) return answers;
    page = await storage.search(scope, table, { ...criteria, offset: 0, after: page.last });
  }
}

const step = fc.record({
  changes: fc.array(change, { maxLength: 3 }),
  isCaughtUp: fc.boolean(),
  list: fc.array(criteria, { minLength: 3, maxLength: 3 }),
});

/** The books with an index of the texts in some columns. */
const booksWith = (columns: readonly string[]): Table => ({
  ...books,
  indexes: [
    { columns: ["title"], whenLarge: true },
    { columns, kind: "substring" },
  ],
});

async function expectSameAnswers(other: Storage, table: Table, numRuns: number): Promise<void> {
  const memory = memoryStorage();
  for (const storage of [memory, other]) {
    onTestFinished(() => storage.close());
    await storage.open(tables.map((one) => (one === books ? table : one)));
    await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  }
  const many = fc.array(change, { maxLength: 60 });
  const property = fc.asyncProperty(many, fc.array(step, { maxLength: 6 }), async (start, steps) => {
    for (const { changes, list, isCaughtUp } of [{ changes: start, list: [], isCaughtUp: false }, ...steps]) {
      for (const storage of [memory, other]) await apply(storage, table, changes);
      const any: Filter = { op: "matches", column: table.indexes[1]?.columns[0] ?? "", pattern: ["", "abc", ""] };
      if (isCaughtUp) await buildIndexes(other, { scope: globalScope, table, criteria: { filter: any, sort: [] } });
      for (const scope of [globalScope, south, north])
        for (const one of list)
          expect(await answersOf(other, table, scope, one)).toEqual(await answersOf(memory, table, scope, one));
    }
  });
  await fc.assert(property, isLong ? cases(numRuns, Math.ceil(numRuns / 3)) : { numRuns: 3 });
}

test.each([
  [4, ["title"]],
  [20, ["title"]],
  [4, ["title", "subtitle"]],
  [20, ["title", "subtitle"]],
])("on SQLite, an index from %i records on, over %j, changes no answer, however far behind it is", async (indexFrom, columns) => {
  const storage = sqliteStorage({ filename: join(makeDirectory(), "a.db"), searchIndexFrom: indexFrom });
  await expectSameAnswers(storage, booksWith(columns), 25);
});

const indexName = "tx_latchkey_books_title_subtitle";

// Each of them starts an embedded server of its own.
const testInFull = test.runIf(isLong);

testInFull.each([true, false])("on Postgres, an index of trigrams (there: %s) changes no answer", async (isThere) => {
  const pool = await newPool(isThere);
  const storage = postgresStorage({ pool });
  await storage.open(tables);
  if (isThere)
    await pool.query(`create index ${indexName} on latchkey_books using gin (title gin_trgm_ops, subtitle gin_trgm_ops)`);
  await expectSameAnswers(storage, booksWith(["title", "subtitle"]), 3);
});

testInFull.each([true, false])(
  "on Postgres, a search inside the texts of a large table has its index made (trigrams: %s)",
  async (isThere) => {
    const pool = await newPool(isThere);
    const storage = postgresStorage({ pool, searchIndexFrom: 3 });
    onTestFinished(() => storage.close());
    await storage.open(tables);
    await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
    const list = labels.slice(0, 3).map((label) => toBook(label, { title: `the ${label}` }));
    await storage.transaction((tx) => tx.insert(globalScope, books, list));
    const search = async (part: string): Promise<void> => {
      const filter: Filter = { op: "matches", column: "title", pattern: ["", part, ""] };
      const sort = [{ column: "isLent", direction: "asc" }] as const;
      const { total } = await storage.search(globalScope, books, { filter, sort, offset: 0, limit: 5 });
      expect(total).toBe(3);
      await buildIndexes(storage, { scope: globalScope, table: books, criteria: { filter, sort } });
    };
    const listReady = async (): Promise<readonly string[]> =>
      ((await storage.readIndexProgress?.()) ?? []).filter(({ state }) => state === "ready").map(({ name }) => name);
    // Too short for trigrams: it has the index of its order made, and no other.
    await search("n1");
    expect(await listReady()).toEqual([expect.stringMatching("^sx_")]);
    await search("n10");
    const criteria: IndexedSearch["criteria"] = {
      filter: { op: "matches", column: "title", pattern: ["", "n10", ""] },
      sort: [],
    };
    const lacking = (await storage.planIndexes?.([{ scope: globalScope, table: books, criteria }])) ?? [];
    const needed = lacking.flatMap(({ name, needs }) => (needs === undefined ? [] : [[name, needs]]));
    expect(needed).toEqual(isThere ? [] : [[indexName, expect.stringContaining("create extension pg_trgm")]]);
    const made = [expect.stringMatching("^sx_"), ...(isThere ? [indexName] : [])];
    expect(await listReady()).toEqual(made);
  },
);
