// The same on Postgres, where the user of the service may change no schema.
import { randomUUID } from "node:crypto";
import { postgresStorage } from "latchkey/postgres";
import pg from "pg";
import { afterAll, expect, vi } from "vitest";
import { tables } from "../../src/families/index.js";
import { postgresUrl, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { expectAll, recordOperations, StatementLog } from "./operation-statements.js";
import { recordPool } from "./postgres.js";

const database = testDatabase();
const role = `latchkey_${randomUUID().slice(0, 8)}`;
const password = randomUUID();

// It calls every operation of the API.
vi.setConfig({ testTimeout: 120_000 });

class ChangeLog extends StatementLog {
  readonly changes: string[] = [];

  override add(sql: string, parameters: readonly unknown[]): void {
    if (/^\s*(create|drop|alter|truncate|reindex)\b/i.test(sql)) this.changes.push(sql);
    super.add(sql, parameters);
  }
}

requirement("search.no-schema-change", "a service on Postgres needs no right to change the schema", async () => {
  const schema = database.newSchema();
  const owner = database.newStorage({ schema });
  await owner.open(tables);
  await owner.close();
  await database.pool().query(`create role ${role} login password '${password}'`);
  await database.pool().query(`grant usage on schema "${schema}" to ${role}`);
  await database.pool().query(`grant select, insert, update, delete on all tables in schema "${schema}" to ${role}`);
  await database.pool().query(`grant usage on all sequences in schema "${schema}" to ${role}`);
  const url = new URL(postgresUrl ?? "");
  Object.assign(url, { username: role, password });
  const pool = new pg.Pool({ connectionString: url.href, max: 5 });
  const log = new ChangeLog();
  recordPool(pool, log);
  // Every table is large.
  const storage = postgresStorage({ pool, schema, searchIndexFrom: 1 });
  expectAll(await recordOperations(storage, log, () => undefined), log);
  expect(log.changes).toEqual([]);
  await storage.close();
  await pool.end();
});

afterAll(async () => {
  await database.pool().query(`drop owned by ${role}`);
  await database.pool().query(`drop role ${role}`);
});
