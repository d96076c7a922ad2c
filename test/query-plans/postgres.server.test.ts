// The same as on SQLite, with the plans that Postgres makes for any parameters of analyzed tables.
import { postgresStorage } from "latchkey/postgres";
import pg from "pg";
import { afterAll, describe, expect, test, vi } from "vitest";
import { tables } from "../../src/families/index.js";
import { postgresUrl, testDatabase } from "../support/postgres.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { configurationTables, findException } from "./exceptions.js";
import { few, findGrowth, rowCounts, sqlTable } from "./filled-tables.js";
import { expectAll, type RecordedStatement, recordOperations, StatementLog } from "./operation-statements.js";
import { type Execution, FilledSchema, isOurs, recordPool } from "./postgres.js";

const { many, manyInConfiguration } = rowCounts;
/** Rows that a statement may visit beside those that it answers: Postgres reads a small table rather than its index. */
const slack = 100;

const database = testDatabase();
const pool = new pg.Pool({ connectionString: postgresUrl, max: 5 });
const log = new StatementLog();
let filled: FilledSchema | undefined;
let tenantId = "";

// It calls every operation of the API.
vi.setConfig({ testTimeout: 120_000 });

requirement("plans.operations", "every operation answers at least one of its calls on Postgres", async () => {
  const schema = database.newSchema();
  recordPool(pool, log);
  const copy = new FilledSchema(await pool.connect(), schema, tables);
  filled = copy;
  const storage = postgresStorage({ pool, schema });
  const statuses = await recordOperations(storage, log, async (stage) => {
    ({ tenantId } = stage);
    await copy.save();
  });
  expectAll(statuses, log);
  await copy.restore(tenantId, few);
});

afterAll(async () => {
  await filled?.close();
  await pool.end();
});

/** What is wrong with a statement on a table with many rows. */
function findFaults(before: Execution, after: Execution, count: number): readonly string[] {
  return [after.scans ? "Seq Scan" : [], findGrowth(before, after, count, slack) ?? []].flat();
}

/** The statements that name a table, each with how it runs there. */
async function executeAll(on: FilledSchema, table: (typeof tables)[number]): Promise<Map<RecordedStatement, Execution>> {
  const executions = new Map<RecordedStatement, Execution>();
  for (const statement of log.statements.filter(({ sql }) => isOurs(sql, sqlTable(table))))
    executions.set(statement, await on.execute(statement, table));
  return executions;
}

describe("the statements of all operations on Postgres", () => {
  // The plans on SQLite are looked at for each table.
  test.each(steps(tables, [3, 3]))("on many $name", { timeout: 120_000 }, async (table) => {
    const count = configurationTables.has(table.name) ? manyInConfiguration : many;
    const faults: object[] = [];
    if (filled === undefined) throw new Error("The operations were not recorded.");
    await filled.undoing(async (on) => {
      const before = await executeAll(on, table);
      await on.fill(table, tenantId, count);
      for (const [statement, after] of await executeAll(on, table)) {
        const found = findFaults(before.get(statement) ?? after, after, count);
        const sql = on.withoutSchema(statement.sql);
        if (found.length > 0 && findException({ sql }) === undefined)
          faults.push({ found, sql, operations: [...statement.operations] });
      }
    });
    expect(faults).toEqual([]);
  });
});
