import type { Storage } from "latchkey/ports";
import { hasPostgres, postgresUrl, testDatabase } from "./postgres.js";
import { reuseStorages } from "./reused-storages.js";

/** The storage of every test that {@link reusedStorages} makes, in full runs where a test file asks for Postgres and there is no server for all. */
export function embeddedPostgres(): readonly (readonly [name: string, open: () => Storage])[] {
  return hasPostgres && postgresUrl === undefined ? [["Postgres", reusedStorages()]] : [];
}

/** Answers a function that makes storages on Postgres, which the tests of one file use again; their tables are removed when the file ends. */
export function reusedStorages(): () => Storage {
  const database = testDatabase(hasPostgres);
  return reuseStorages(() => {
    const schema = database.newSchema();
    const storage = database.newStorage({ schema, maxConnections: 5 });
    return { storage, empty: () => database.pool().query(empty(schema)) };
  });
}

// The tables made last refer to those made first.
const empty = (schema: string): string => `do $$ declare name text; begin
  for name in select oid::regclass from pg_class
    where relnamespace = '${schema}'::regnamespace and relkind = 'r' and relname <> 'latchkey_schema_versions' order by oid desc
  loop execute 'delete from ' || name; end loop; end $$`;
