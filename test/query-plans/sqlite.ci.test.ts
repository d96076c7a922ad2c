// No operation looks through a table for a few of its rows: the plan of each statement, and the rows that it visits as the table grows.
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import type { Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { tables } from "../../src/families/index.js";
import { temporaryFiles } from "../storage/support/temporary-files.js";
import { boundStorage } from "../support/bound-storage.js";
import { requirement } from "../support/requirement.js";
import { configurationTables, findException, unusedExceptions } from "./exceptions.js";
import { few, findGrowth, rowCounts, type Steps, sqlTable } from "./filled-tables.js";
import { expectAll, type RecordedStatement, recordOperations, StatementLog, type Statuses } from "./operation-statements.js";
import { CountingDatabase, recordSqlite } from "./sqlite.js";

const { many, manyInConfiguration } = rowCounts;
/** Rows that a statement may visit beside those that it answers, whatever it is. */
const slack = 20;

const newFile = temporaryFiles();
const log = new StatementLog();
let [small, large]: CountingDatabase[] = [];
let tenantId = "";

/** Records the statements of all operations, and makes the databases that they are tried on: with what the operations found, and rows beside it. */
async function recordAll(): Promise<Statuses> {
  const filename = newFile();
  const stop = recordSqlite(log);
  try {
    return await recordOperations(withoutThreads(sqliteStorage({ filename, readerThreads: 0 })), log, (stage) => {
      ({ tenantId } = stage);
      openDatabases(filename);
    });
  } finally {
    stop();
  }
}

// What other threads run is not recorded.
function withoutThreads(storage: Storage): Storage {
  const transaction: Storage["transaction"] = (work, options) => storage.transaction(work, { ...options, isLong: false });
  return { ...boundStorage(storage), transaction, snapshot: (work) => work(storage) };
}

function openDatabases(filename: string): void {
  const beside = new Database(filename);
  // As a file without a log beside it.
  const copy = newFile();
  beside.prepare("vacuum into ?").run(copy);
  beside.close();
  small = new CountingDatabase(readFileSync(copy));
  for (const table of tables) small.fill(table, tenantId, few);
  large = new CountingDatabase(small.serialize());
  for (const database of [small, large]) database.addViews(tables);
}

afterAll(() => {
  for (const database of [small, large]) database?.close();
});

requirement("plans.operations", "every operation answers at least one of its calls", async () => {
  expectAll(await recordAll(), log);
});

/** What is wrong with a statement on a table with many rows. */
function findFaults(statement: RecordedStatement, count: number): readonly string[] {
  const plan = large?.explain(statement) ?? [];
  const [before, after] = [small, large].map((database) => database?.count(statement)) as [Steps, Steps];
  const growth = findGrowth(before, after, count, slack) ?? [];
  return [...plan.filter((line) => isScan(line, statement.sql)), growth].flat();
}

// A scan in the order of an index is none where nothing is looked for, and a limit ends it.
function isScan(line: string, sql: string): boolean {
  const [, name = "", index] = /^SCAN (\S+)( USING .*)?$/.exec(line) ?? [];
  if (name === "" || /^(json_each|page|few|ranked|counted|measured|summed|\(.*)$/.test(name)) return false;
  return index === undefined || !/ limit \d+/.test(sql) || / where (?!1 = 1\b)/.test(sql);
}

describe("the statements of all operations", () => {
  test.each(tables)("on many $name", { timeout: 60_000 }, (table) => {
    const own = log.statements.filter(({ sql }) => sql.includes(`"${sqlTable(table)}"`));
    const count = configurationTables.has(table.name) ? manyInConfiguration : many;
    const faults: object[] = [];
    large?.undoing(() => {
      large?.fill(table, tenantId, count);
      for (const statement of own) {
        const found = findFaults(statement, count);
        if (found.length === 0 || findException(statement) !== undefined) continue;
        faults.push({ found, sql: statement.sql, operations: [...statement.operations] });
      }
    });
    expect(faults).toEqual([]);
  });

  test("need every exception", () => expect(unusedExceptions()).toEqual([]));
});
