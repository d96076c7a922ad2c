import type { Table } from "latchkey/storage";
import { SchemaWriter } from "./schema-writer.js";
import type { SqlDatabase } from "./sql-connection.js";
import type { TableNames } from "./table-sql.js";

/**
 * Brings a database to the newest schema version. A version is what the table definitions say came `since` it, so the
 * history is the definitions themselves: forward only, and additive – what an older release wrote and reads stays there.
 * Runs in one write transaction, which lets a second process that starts at the same time wait and then find the work done.
 */
export async function migrate<Native>(database: SqlDatabase<Native>, tables: readonly Table[], names: TableNames): Promise<void> {
  const newest = Math.max(...tables.flatMap(versionsOf));
  await database.migration(async (connection) => {
    const schema = new SchemaWriter(database.profile, connection, names);
    const current = await schema.currentVersion();
    for (let version = current + 1; version <= newest; version++)
      for (const table of tables) await schema.bringToVersion(table, version);
    if (newest > current) await schema.recordVersion(newest);
  });
}

function versionsOf(table: Table): number[] {
  const columns = Object.values(table.columns).map((column) => column.since ?? table.since);
  return [table.since, ...columns, ...table.indexes.map((index) => index.since ?? table.since)];
}
