// When a transaction sends what need not be answered at once: logs together, inserts and lookups ahead.
import type { Kysely } from "kysely";
import { globalScope, type RecordToStore, type Storage, type Transaction, UniqueViolation } from "latchkey/ports";
import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { keep, keptLabels, rejectionOf } from "../contract/storage/kit.js";
import { books, entries, idOf, north, tables, tenants, tenantsToStart, toBook, toEntry } from "../contract/storage/tables.js";
import { recordPool, SqlLog } from "../statements/record-sql.js";
import { clientOf, postgresUrl, testDatabase } from "../support/postgres.js";

const database = testDatabase();
type Tx = Transaction<Kysely<unknown>>;
const log = new SqlLog();
let schema: string;
let storage: Storage<Kysely<unknown>>;

beforeEach(async () => {
  const pool = new pg.Pool({ connectionString: postgresUrl, max: 3 });
  recordPool(pool, log);
  schema = database.newSchema();
  storage = database.newStorage({ pool, schema });
  onTestFinished(async () => {
    await storage.close();
    await pool.end();
  });
  await storage.open(tables);
  await keep(storage, tenants, tenantsToStart);
});

/** How many statements write entries while some work is done. The read lets all reach the database that was sent. */
async function countWrites(tx: Tx, work: () => Promise<unknown>): Promise<number> {
  log.start();
  await work();
  await tx.find(north, books, undefined, { limit: 1 });
  return log.stop().statements.filter((one) => one === "insert entries").length;
}

const entriesOf = (count: number, prefix: string): RecordToStore[] =>
  Array.from({ length: count }, (_, index) => toEntry(`${prefix}${1_000 + index}`));
const add = (tx: Tx, records: readonly RecordToStore[]) => (): Promise<void> => tx.insert(globalScope, entries, records);

describe("entries of a log", () => {
  test("wait for the end of their transaction, at most 1,000 of them", async () => {
    await storage.transaction(async (tx) => {
      expect(await countWrites(tx, add(tx, entriesOf(999, "a")))).toBe(0);
      expect(await countWrites(tx, add(tx, entriesOf(1, "b")))).toBe(1);
      await tx.savepoint(async () => {
        expect(await countWrites(tx, add(tx, entriesOf(1_000, "c")))).toBe(1);
        expect(await countWrites(tx, add(tx, entriesOf(1, "d")))).toBe(0);
      });
    });
    expect(await keptLabels(storage, undefined, entries)).toHaveLength(2_001);
  });

  test("wait while they have fewer than 500,000 characters", async () => {
    const sized = (label: string, length: number): RecordToStore[] => [
      { ...toEntry(label), json: JSON.stringify("x".repeat(length - 2)) },
    ];
    await storage.transaction(async (tx) => {
      expect(await countWrites(tx, add(tx, sized("a", 499_997)))).toBe(0);
      // So few are written one by one.
      expect(await countWrites(tx, add(tx, sized("b", 3)))).toBe(2);
      expect(await countWrites(tx, add(tx, sized("c", 2)))).toBe(0);
    });
  });

  test("are there for the host's own statements, those too that come after the first", async () => {
    await storage.transaction(async (tx) => {
      await add(tx, entriesOf(1, "a"))();
      const client = clientOf(tx);
      const counted: unknown[] = [];
      for (const prefix of ["b", "c"]) {
        counted.push(...(await client.query(`select count(*)::int as n from "${schema}".latchkey_entries`)).rows);
        await add(tx, entriesOf(1, prefix))();
      }
      expect(counted).toEqual([{ n: 1 }, { n: 2 }]);
    });
  });
});

describe("an insert of a record that is there", () => {
  const taken = toBook("a");
  beforeEach(() => keep(storage, books, [taken]));

  /** Inserts it, and answers what each run of the transaction saw of it. */
  async function runs(mayCollideLate: boolean, before: (tx: Tx) => unknown = () => undefined): Promise<readonly string[]> {
    const seen: string[] = [];
    const work = async (tx: Tx): Promise<void> => {
      before(tx);
      const isAhead = tx.expectNone?.(globalScope, books, "id", [idOf("b")]);
      const outcome = await tx.insert(globalScope, books, [taken]).then(
        () => "sent",
        (error: Error) => error.name,
      );
      seen.push(`${outcome} ${isAhead}`);
      if (outcome !== "sent") throw new UniqueViolation("books", ["id"]);
    };
    await rejectionOf(storage.transaction(work, { mayCollideLate }), UniqueViolation);
    return seen;
  }

  test("is found out later where that is allowed, and at once in the second run", async () => {
    expect(await runs(true)).toEqual(["sent true", "UniqueViolation false"]);
    expect(await runs(false)).toEqual(["UniqueViolation false"]);
  });

  test("is found out at once where the host has statements of its own", async () => {
    expect(await runs(true, (tx) => tx.native)).toEqual(["UniqueViolation false"]);
  });
});
