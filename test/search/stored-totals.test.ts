import { join } from "node:path";
import Database from "better-sqlite3";
import {
  type Filter,
  globalScope,
  type RecordToStore,
  type Storage,
  type Table,
  type TenantScope,
  tenantScope,
} from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished } from "vitest";
import { books, bookTags, idOf, notes, shelves, south, tables, tenants, toBook, toRecord } from "../contract/storage/tables.js";
import { hasPostgres, postgresUrl, testDatabase } from "../support/postgres.js";
import { cases, fc, isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { buildIndexes } from "./support.js";

const { newSchema, newStorage, pool } = testDatabase(hasPostgres);
const label = (number: number): string => `n${100 + number}`;
const tenantNames = ["north", "south", "west"] as const;

/** A change of some records, and whether its transaction, or a savepoint in it, is undone. */
interface Change {
  readonly kind: "insert" | "remove" | "update" | "clear" | "removeShelf" | "removeTenant";
  readonly numbers: readonly number[];
  readonly tenant: number;
  readonly shelf: number;
  readonly isLent: boolean;
  readonly isUndone: "no" | "savepoint" | "transaction";
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("insert", "insert", "insert", "remove", "update", "update", "clear", "removeShelf", "removeTenant"),
  numbers: fc.uniqueArray(fc.nat(40), { maxLength: 20 }),
  tenant: fc.nat(2),
  shelf: fc.nat(1),
  isLent: fc.boolean(),
  isUndone: fc.constantFrom("no", "no", "no", "savepoint", "transaction"),
});

class Undo extends Error {}

type Work = Parameters<Parameters<Storage["transaction"]>[0]>[0];

async function apply(storage: Storage, change: Change): Promise<void> {
  const run = storage.transaction(async (tx) => {
    if (change.isUndone !== "savepoint") await write(tx, change);
    else
      await tx
        .savepoint(async () => {
          await write(tx, change);
          throw new Undo();
        })
        .catch(ignoreUndo);
    if (change.isUndone === "transaction") throw new Undo();
  });
  await run.catch(ignoreUndo);
}

function ignoreUndo(error: unknown): void {
  if (!(error instanceof Undo)) throw error;
}

async function write(tx: Work, change: Change): Promise<void> {
  const tenant = tenantNames[change.tenant] ?? "north";
  const ids = change.numbers.map((number) => idOf(label(number)));
  const isOne: Filter = { op: "in", column: "id", values: ids };
  const isIt = (column: string, id: string): Filter => ({ op: "equals", column, value: id });
  if (change.kind === "remove") await tx.remove(globalScope, books, isOne);
  if (change.kind === "clear") await tx.clearTenant(notes, idOf(tenant), 5);
  if (change.kind === "removeShelf") await tx.remove(globalScope, shelves, isIt("id", idOf(`s${change.shelf}`)));
  if (change.kind === "removeTenant") await tx.remove(globalScope, tenants, isIt("id", idOf("west")));
  if (change.kind === "insert" || change.kind === "update") await writeBooks(tx, change, tenant);
}

async function writeBooks(tx: Work, { isLent, kind, numbers, shelf }: Change, tenant: string): Promise<void> {
  for (const name of ["north", "south", "west"])
    await insertMissing(tx, tenants, toRecord(name, { name }, { tenantId: idOf(name) }));
  const shelfId = idOf(`s${shelf}`);
  await insertMissing(tx, shelves, toRecord(`s${shelf}`, { name: null }));
  const fresh: RecordToStore[] = [];
  for (const number of numbers) {
    const kept = await tx.retrieve(globalScope, books, idOf(label(number)));
    const details = { tenantId: kept?.tenantId ?? idOf(tenant), version: (kept?.version ?? 0) + 1 };
    const book = toBook(label(number), { shelfId: number % 3 === 0 ? null : shelfId, isLent }, details);
    if (kept === undefined) fresh.push(book);
    else if (kind === "update") await tx.update(globalScope, books, book);
  }
  await tx.insert(globalScope, books, fresh);
  const tags = fresh.map(({ id, tenantId }, index) =>
    toRecord(`t${id.slice(-3)}`, { bookId: id, tag: `t${index % 2}` }, { tenantId, id: id.replace(/^0/, "1") }),
  );
  await tx.insert(globalScope, bookTags, tags);
  const some = fresh.map(({ id, tenantId }) => toRecord("x", { text: id }, { tenantId, id: id.replace(/^0/, "2") }));
  for (const note of some) await insertMissing(tx, notes, note);
}

async function insertMissing(tx: Work, table: Table, record: RecordToStore): Promise<void> {
  if ((await tx.retrieve(globalScope, table, record.id)) === undefined) await tx.insert(globalScope, table, [record]);
}

const equals = (column: string, value: string | boolean): Filter => ({ op: "equals", column, value });
const tagged: Filter = {
  op: "exists",
  table: "bookTags",
  localColumn: "id",
  foreignColumn: "bookId",
  filter: equals("tag", "t1"),
};
const searches: readonly (readonly [TenantScope, Table, Filter | undefined])[] = [
  globalScope,
  south,
  tenantScope(idOf("west")),
].flatMap(
  (scope) =>
    [
      [scope, books, undefined],
      [scope, books, equals("tenantId", idOf("south"))],
      [scope, books, equals("shelfId", idOf("s1"))],
      [scope, books, equals("isLent", true)],
      [scope, books, { ...tagged, isEach: true }],
      [scope, bookTags, undefined],
      [scope, notes, undefined],
      [scope, shelves, undefined],
    ] as const,
);

const indexed = searches.map(([scope, table, filter]) => ({ scope, table, criteria: { ...(filter && { filter }), sort: [] } }));

async function totalsOf(storage: Storage): Promise<number[]> {
  const totals: number[] = [];
  for (const [scope, table, filter] of searches) {
    const { total } = await storage.search(scope, table, { ...(filter && { filter }), sort: [], limit: 0, offset: 0 });
    totals.push(total);
  }
  return totals;
}

async function countsOf(storage: Storage): Promise<number[]> {
  const counts: number[] = [];
  for (const [scope, table, filter] of searches) counts.push((await storage.find(scope, table, filter)).length);
  return counts;
}

async function expectCounts(open: () => Storage, parameters: fc.Parameters<unknown>): Promise<void> {
  const property = fc.asyncProperty(fc.array(anyChange, { minLength: 6, maxLength: 12 }), async (changes) => {
    const storage = open();
    try {
      await storage.open(tables);
      for (const change of changes) {
        await apply(storage, change);
        const expected = await countsOf(storage);
        // The first time shows what is large, and later ones read what is stored since.
        for (let time = 0; time < 2; time++) {
          expect(await totalsOf(storage)).toEqual(expected);
          await buildIndexes(storage, ...indexed);
        }
      }
    } finally {
      await storage.close();
    }
  });
  await fc.assert(property as fc.IAsyncProperty<unknown>, parameters);
}

requirement(
  "search.stored-totals",
  "SQLite keeps totals that are those of the records after any writes, undone ones too",
  async () => {
    const directory = makeDirectory();
    let files = 0;
    await expectCounts(
      () => sqliteStorage({ filename: join(directory, `${++files}.db`), searchIndexFrom: 6 }),
      isLong ? cases(60, 20) : { numRuns: 3 },
    );
    const kept = Array.from({ length: files }, (_, index) => new Database(join(directory, `${index + 1}.db`)));
    onTestFinished(() => kept.forEach((database) => void database.close()));
    const triggers = kept.map((one) => one.prepare("select count(*) from sqlite_master where name like 'sc_%'").pluck().get());
    expect(Math.max(...triggers.map(Number))).toBeGreaterThan(3);
  },
);

if (hasPostgres)
  requirement(
    "search.stored-totals",
    "Postgres keeps totals that are those of the records after any writes, undone ones too",
    async () => {
      const schemas: string[] = [];
      const open = (): Storage => {
        const schema = newSchema();
        schemas.push(schema);
        return newStorage({ schema, searchIndexFrom: 6 });
      };
      // The one case of an embedded server is one whose table becomes large.
      await expectCounts(open, postgresUrl === undefined ? { numRuns: 1, seed: 20 } : cases(10, 4));
      const found = await pool().query(
        "select count(*) as n from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace where tgname like 'sc_%' and n.nspname = any($1)",
        [schemas],
      );
      expect(Number(found.rows[0]?.n)).toBeGreaterThan(3);
    },
  );
