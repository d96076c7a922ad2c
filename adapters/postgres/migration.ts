import { pause } from "../internal/async.js";
import { type Fragment, sql } from "../kysely/sql/fragment.js";
import type { SqlConnection } from "../kysely/sql/sql-connection.js";
import type { Connections } from "./connections/connections.js";
import { explainPermission, isMigrationConflict, type PgClientLike, toUnavailable } from "./connections/pg-types.js";
import { type PreparedStatements, toConnection } from "./connections/prepared-statements.js";

/** Settings for the checks and preparations before a migration. */
export interface Preparation {
  readonly schema?: string | undefined;
  readonly tablePrefix: string;
  /** Whether the database has advisory locks. Without them, conflicting migrations run again. */
  readonly hasNamedLocks: boolean;
  /** Called with whether commits return before they are on disk, as the database or its user may be configured. */
  readonly onSettings: (settings: { readonly isCommitLoose: boolean }) => void;
}

/**
 * Runs a schema change in one transaction, while other schema changes wait for an advisory lock. Each statement sees earlier
 * commits, including migrations of another process during the wait. Without locks, the second migration fails on the first one's
 * objects, and runs again.
 */
export async function runMigration<T>(
  connections: Connections,
  statements: PreparedStatements,
  preparation: Preparation,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await runOnce(connections, statements, preparation, work);
    } catch (error) {
      if (preparation.hasNamedLocks || attempt === maxAttempts || !isMigrationConflict(error)) throw error;
      await pause(connections.runtime.timers, connections.runtime.randomShare() * 100 * attempt);
    }
}

/** The maximum number of runs of a conflicting migration. One migration succeeds each time. */
const maxAttempts = 20;

function runOnce<T>(
  connections: Connections,
  statements: PreparedStatements,
  preparation: Preparation,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  return connections.hold(async (client, discard) => {
    try {
      await client.query({ text: "begin isolation level read committed; set local statement_timeout to 0" });
      await prepare(client, preparation);
      const result = await work(toConnection(statements, (query) => client.query({ ...query, query_timeout: oneDay })));
      await client.query({ text: "commit" });
      return result;
    } catch (error) {
      await client.query({ text: "rollback" }).catch(discard);
      throw toUnavailable(explainPermission(error, "latchkey migrate"));
    }
  });
}

// Creating an index on a large table takes long.
const oneDay = 86_400_000;

async function prepare(client: PgClientLike, { hasNamedLocks, onSettings, schema, tablePrefix }: Preparation): Promise<void> {
  const values = [`latchkey ${schema ?? ""} ${tablePrefix}`];
  if (hasNamedLocks)
    await client.query({ text: "select pg_advisory_xact_lock(hashtextextended($1, 0))", values, query_timeout: oneDay });
  const settings = "current_setting('server_encoding') as encoding, current_setting('synchronous_commit') as commits";
  const [row] = (await client.query({ text: `select ${settings}` })).rows;
  // Texts are ordered by their bytes, which only in UTF-8 is code point order.
  if (row?.encoding !== "UTF8") throw new Error(`The encoding of the database must be UTF8, not ${String(row?.encoding)}.`);
  onSettings({ isCommitLoose: row.commits === "off" });
  if (schema === undefined) return;
  // Check first: a user without the right to create schemas may use an existing one.
  const found = await client.query({ text: "select 1 from pg_namespace where nspname = $1", values: [schema] });
  if (found.rows.length === 0) await client.query({ text: `create schema "${schema}"` });
}

/** Installs `pg_trgm` if missing, which a user with CREATE on the database may do since Postgres 13. Called in a transaction. */
export async function prepareTrigrams(connection: SqlConnection): Promise<void> {
  if ((await findTrigramOperators(connection)) !== undefined) return;
  await connection.run("savepoint trigrams", []);
  try {
    await connection.run("create extension if not exists pg_trgm", []);
  } catch {
    // Unavailable on this server, not allowed, or created by another process meanwhile.
    await connection.run("rollback to trigrams", []);
  }
  await connection.run("release trigrams", []);
}

/** The advice for a database without `pg_trgm`. */
export const needsTrigrams =
  "Searches for texts inside of texts read all names: the database has no extension pg_trgm. Run create extension pg_trgm in it as a user who may, and then latchkey indexes.";

/**
 * The operator class of substring indexes; undefined without `pg_trgm`. Includes the schema of the extension, which may not be in
 * the search path.
 */
export async function findTrigramOperators(connection: SqlConnection): Promise<string | undefined> {
  const row = await connection.first(
    "select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'",
    [],
  );
  return row && `${String(row.schema)}.gin_trgm_ops`;
}

/**
 * SQL that lists the tables and indexes of a schema, by default the first of the search path, with a row for each column of a
 * table.
 */
export function listSchema(schema: string | undefined): Fragment {
  return sql`select found.relname as name, of_table.attname as "column" from pg_class as found
    left join pg_attribute as of_table on of_table.attrelid = found.oid and of_table.attnum > 0 and not of_table.attisdropped
    where found.relnamespace = (select oid from pg_namespace where nspname = coalesce(${schema ?? null}::text, current_schema()::text))`;
}
