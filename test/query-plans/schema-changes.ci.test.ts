// A service that serves requests changes no schema, however large its tables are.
import Database from "better-sqlite3";
import { sqliteStorage } from "latchkey/sqlite";
import { expect } from "vitest";
import { temporaryFiles } from "../storage/support/temporary-files.js";
import { requirement } from "../support/requirement.js";
import { expectAll, recordOperations, StatementLog } from "./operation-statements.js";
import { recordSqlite } from "./sqlite.js";

const newFile = temporaryFiles();

requirement("search.no-schema-change", "no operation changes the schema of a database on SQLite", async () => {
  const filename = newFile();
  // Every table is large.
  const storage = sqliteStorage({ filename, searchIndexFrom: 1 });
  const log = new StatementLog();
  const stop = recordSqlite(log);
  let before: unknown;
  try {
    const statuses = await recordOperations(storage, log, () => {
      before = readSchema(filename);
    });
    expectAll(statuses, log);
  } finally {
    stop();
  }
  expect(readSchema(filename)).toEqual(before);
});

/** The objects of the schema, and how often any process or thread has changed it. */
function readSchema(filename: string): unknown {
  const database = new Database(filename, { readonly: true });
  const names = database.prepare("select name from sqlite_master order by name").pluck().all();
  const version = database.pragma("schema_version", { simple: true });
  database.close();
  return { names, version };
}
