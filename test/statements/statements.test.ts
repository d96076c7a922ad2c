import type { Storage } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";
import pg from "pg";
import { describe, expect, onTestFinished } from "vitest";
import { stopMonotonicClock } from "../support/monotonic-clock.js";
import { describeOnServer, postgresUrl, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { type MeasuredCall, measuredCalls } from "./calls.js";
import { type CallStatements, recordPool, recordSqlite, SqlLog } from "./record-sql.js";

/** The cheapest of some calls: the first ones load modules and fill caches, and what the service does from time to time may come between. */
async function measure({ arrange }: MeasuredCall, storage: Storage, log: SqlLog): Promise<CallStatements> {
  stopMonotonicClock();
  const prepare = await arrange(storage);
  const counted: CallStatements[] = [];
  for (let count = 0; count < 6; count++) {
    const call = await prepare();
    await new Promise((resolve) => setImmediate(resolve));
    log.start();
    await call();
    counted.push(log.stop());
  }
  const [least] = counted.toSorted((a, b) => a.statements.length - b.statements.length || a.writes - b.writes);
  return least ?? { statements: [], writes: 0 };
}

// The statements stand in the message of a test that fails.
function expectWithin({ most, rows = 1, writes }: MeasuredCall, found: CallStatements): void {
  const count = found.statements.length / rows;
  expect([count, found.writes], found.statements.join(", ")).toEqual([Math.min(count, most), Math.min(found.writes, writes)]);
}

describe("on SQLite", () => {
  for (const call of measuredCalls)
    requirement("account.call-statements", `${call.name}: at most ${call.most} statements`, async () => {
      const log = new SqlLog();
      onTestFinished(recordSqlite(log));
      expectWithin(call, await measure(call, sqliteStorage({ filename: `${makeDirectory()}/identity.db` }), log));
    });
});

describeOnServer("on Postgres", () => {
  const database = testDatabase();
  for (const call of measuredCalls)
    requirement("account.call-statements", `${call.name}: at most ${call.most} statements`, async () => {
      const log = new SqlLog();
      const pool = new pg.Pool({ connectionString: postgresUrl, max: 5 });
      onTestFinished(() => pool.end());
      recordPool(pool, log);
      expectWithin(call, await measure(call, postgresStorage({ pool, schema: database.newSchema() }), log));
    });
});
