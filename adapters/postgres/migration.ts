import { pause } from "../internal/async.js";
import { type Fragment, sql } from "../kysely/sql/fragment.js";
import type { SqlConnection } from "../kysely/sql/sql-connection.js";
import type { Connections } from "./connections/connections.js";
import { isMigrationConflict, type PgClientLike, toUnavailable } from "./connections/pg-types.js";
import { type PreparedStatements, toConnection } from "./connections/prepared-statements.js";

/** What is looked at and made before the first migration. */
export interface Preparation {
  readonly schema?: string | undefined;
  readonly tablePrefix: string;
  /** Whether the database has locks that any name can have. Without them, migrations that meet run again. */
  readonly hasNamedLocks: boolean;
  /** Called with whether commits answer before they are on disk, as the database or its user may be configured. */
  readonly onSettings: (settings: { readonly isCommitLoose: boolean }) => void;
}

/**
 * Runs what changes the schema in one transaction, while all others that would change it wait at a lock. It sees what was committed
 * before each of its statements: what another process has migrated while this one waited. Without locks, the one that comes second fails at
 * what the first has made, and runs again.
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

/** How often a migration runs that meets others. One of them is the last each time. */
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
      throw toUnavailable(error);
    }
  });
}

// An index on a large table takes its time.
const oneDay = 86_400_000;

async function prepare(client: PgClientLike, { hasNamedLocks, onSettings, schema, tablePrefix }: Preparation): Promise<void> {
  const values = [`latchkey ${schema ?? ""} ${tablePrefix}`];
  if (hasNamedLocks)
    await client.query({ text: "select pg_advisory_xact_lock(hashtextextended($1, 0))", values, query_timeout: oneDay });
  const settings = "current_setting('server_encoding') as encoding, current_setting('synchronous_commit') as commits";
  const [row] = (await client.query({ text: `select ${settings}` })).rows;
  // Texts are ordered by their bytes, which in any other encoding are not in the order of code points.
  if (row?.encoding !== "UTF8") throw new Error(`The encoding of the database must be UTF8, not ${String(row?.encoding)}.`);
  onSettings({ isCommitLoose: row.commits === "off" });
  if (schema === undefined) return;
  // Check first: a user without the right to create schemas may use an existing one.
  const found = await client.query({ text: "select 1 from pg_namespace where nspname = $1", values: [schema] });
  if (found.rows.length === 0) await client.query({ text: `create schema "${schema}"` });
}

/** Installs `pg_trgm` where it is not there yet, which a user with CREATE on the database may from Postgres 13 on. Called in a transaction. */
export async function prepareTrigrams(connection: SqlConnection): Promise<void> {
  if ((await findTrigramOperators(connection)) !== undefined) return;
  await connection.run("savepoint trigrams", []);
  try {
    await connection.run("create extension if not exists pg_trgm", []);
  } catch {
    // Not on this server, not allowed, or another process was faster.
    await connection.run("rollback to trigrams", []);
  }
  await connection.run("release trigrams", []);
}

/** What a database without `pg_trgm` lacks. */
export const needsTrigrams =
  "Searches for texts inside of texts read all names: the database has no extension pg_trgm. Run create extension pg_trgm in it as a user who may, and then latchkey indexes.";

/**
 * The operator class by which an index finds texts inside of texts; undefined without `pg_trgm`. The schema of the extension is named: the
 * path on which names are looked for need not lead there.
 */
export async function findTrigramOperators(connection: SqlConnection): Promise<string | undefined> {
  const row = await connection.first(
    "select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'",
    [],
  );
  return row && `${String(row.schema)}.gin_trgm_ops`;
}

/** SQL that lists the tables and indexes of a schema, by default the first of the search path, with a row for each column of a table. */
export function listSchema(schema: string | undefined): Fragment {
  return sql`select found.relname as name, of_table.attname as "column" from pg_class as found
    left join pg_attribute as of_table on of_table.attrelid = found.oid and of_table.attnum > 0 and not of_table.attisdropped
    where found.relnamespace = (select oid from pg_namespace where nspname = coalesce(${schema ?? null}::text, current_schema()::text))`;
}
