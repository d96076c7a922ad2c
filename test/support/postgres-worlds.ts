import type { Storage } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import pg from "pg";
import { hasPostgres, postgresUrl, testDatabase } from "./postgres.js";
import { lendStorages, type ReusedStorage, reuseStorages } from "./reused-storages.js";
import { newSchemaOfRun } from "./schemas-of-run.js";

/** The storage of {@link reusedStorages}: for test files that ask for Postgres, in full runs without a shared server. */
export function embeddedPostgres(): readonly (readonly [name: string, open: () => Storage])[] {
  return hasPostgres && postgresUrl === undefined ? [["Postgres", reusedStorages()]] : [];
}

/**
 * Returns a function that makes storages on Postgres. The tests of a file reuse them; their tables are removed after the file.
 */
export function reusedStorages(): () => Storage {
  const database = testDatabase(hasPostgres);
  return reuseStorages(() => {
    const schema = database.newSchema();
    return { storage: database.newStorage({ schema, maxConnections: 5 }), empty: emptying(schema, database.pool) };
  });
}

let pool: pg.Pool | undefined;

/** Returns a storage on the real server. The test files of a process reuse them; their schemas are removed after the run. */
export const openPostgres: () => Storage = lendStorages((): ReusedStorage => {
  const schema = newSchemaOfRun();
  pool ??= new pg.Pool({ connectionString: postgresUrl, max: 1 });
  const own = pool;
  const storage = postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 5 });
  return { storage, empty: emptying(schema, () => own) };
});

/** The number of deletions before a truncate: deleted rows stay in the tables and slow down reads. */
const deletions = 200;

/** Returns a function that removes all records of a schema. */
function emptying(schema: string, poolOf: () => pg.Pool): () => Promise<unknown> {
  let count = 0;
  return async () => {
    if (count === 0) await poolOf().query(declareEmpty(schema));
    const way = ++count % deletions === 0 ? "truncate_all" : "delete_all";
    await poolOf().query(`select "${schema}".${way}()`);
  };
}

// A function, because it caches its plans: otherwise emptying takes as long as many tests. Later tables refer to earlier ones.
// Autovacuum is off: it makes Postgres scan empty tables as a whole, so that unrelated transactions conflict.
const declareEmpty = (schema: string): string => `do $declare$
declare
  tables regclass[] := array(select oid::regclass from pg_class where relkind = 'r' and relname <> 'latchkey_schema_versions'
    and relnamespace = '${schema}'::regnamespace order by oid desc);
  deletes text := '';
  one regclass;
begin
  foreach one in array tables loop
    execute format('alter table %s set (autovacuum_enabled = false)', one);
    deletes := deletes || format('if exists (select 1 from %1$s) then delete from %1$s; end if; ', one);
  end loop;
  -- Numbers begin at 1 in each test, as they do in a new schema.
  for one in select oid::regclass from pg_class where relkind = 'S' and relnamespace = '${schema}'::regnamespace loop
    deletes := deletes || format('perform setval(%L, 1, false); ', one);
  end loop;
  execute format('create function "${schema}".delete_all() returns void language plpgsql as %L', 'begin ' || deletes || 'end');
  execute format('create function "${schema}".truncate_all() returns void language sql as %L',
    'truncate ' || array_to_string(tables, ', ') || ' restart identity');
end $declare$`;
