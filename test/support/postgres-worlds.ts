import { randomUUID } from "node:crypto";
import type { Storage } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import pg from "pg";
import { hasPostgres, postgresUrl, testDatabase } from "./postgres.js";
import { lendStorages, type ReusedStorage, reuseStorages } from "./reused-storages.js";

/** The storage of every test that {@link reusedStorages} makes, in full runs where a test file asks for Postgres and there is no server for all. */
export function embeddedPostgres(): readonly (readonly [name: string, open: () => Storage])[] {
  return hasPostgres && postgresUrl === undefined ? [["Postgres", reusedStorages()]] : [];
}

/** Answers a function that makes storages on Postgres, which the tests of one file use again; their tables are removed when the file ends. */
export function reusedStorages(): () => Storage {
  const database = testDatabase(hasPostgres);
  return reuseStorages(() => {
    const schema = database.newSchema();
    return { storage: database.newStorage({ schema, maxConnections: 5 }), empty: emptying(schema, database.pool) };
  });
}

let pool: pg.Pool | undefined;

/** Answers a storage on the real server. The test files of a process use the same ones, whose schemas go when the run ends. */
export const openPostgres: () => Storage = lendStorages((): ReusedStorage => {
  const schema = `test_${randomUUID().replaceAll("-", "").slice(0, 12)}`;
  pool ??= new pg.Pool({ connectionString: postgresUrl, max: 1 });
  const own = pool;
  const storage = postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 5 });
  return { storage, empty: emptying(schema, () => own) };
});

/** Answers what removes all records of a schema. */
function emptying(schema: string, poolOf: () => pg.Pool): () => Promise<unknown> {
  let isDeclared = false;
  return async () => {
    // A function keeps the plans of its statements: to empty tables takes as long as many tests otherwise.
    if (!isDeclared) await poolOf().query(declareEmpty(schema));
    isDeclared = true;
    await poolOf().query(`select "${schema}".empty_all()`);
  };
}

// The tables made last refer to those made first.
const declareEmpty = (schema: string): string => `do $declare$ declare statements text; begin
  select string_agg(format('if exists (select 1 from %1$s) then delete from %1$s; end if;', oid::regclass), ' ' order by oid desc)
    into statements from pg_class
    where relnamespace = '${schema}'::regnamespace and relkind = 'r' and relname <> 'latchkey_schema_versions';
  execute format('create function "${schema}".empty_all() returns void language plpgsql as %L', 'begin ' || statements || ' end');
end $declare$`;
