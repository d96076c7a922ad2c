import type { SqlConnection } from "../kysely/sql-connection.js";

/**
 * The operator class by which an index finds texts inside of texts (`pg_trgm`, which a user with CREATE on the database may install
 * from Postgres 13 on); undefined where it is not there and cannot be had. Called in a transaction.
 */
export async function findTrigramOperators(connection: SqlConnection): Promise<string | undefined> {
  const known = await lookUp(connection);
  if (known !== undefined) return known;
  await connection.run("savepoint trigrams", []);
  try {
    await connection.run("create extension if not exists pg_trgm", []);
  } catch {
    // Not on this server, not allowed, or another process was faster.
    await connection.run("rollback to trigrams", []);
  }
  await connection.run("release trigrams", []);
  return lookUp(connection);
}

// Wherever the extension is: the path on which names are looked for need not lead there.
async function lookUp(connection: SqlConnection): Promise<string | undefined> {
  const row = await connection.first(
    "select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'",
    [],
  );
  return row && `${String(row.schema)}.gin_trgm_ops`;
}
