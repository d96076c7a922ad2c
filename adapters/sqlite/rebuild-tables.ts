import type { Table } from "latchkey/ports";
import { SchemaWriter } from "../kysely/schema-writer.js";
import type { SqlConnection, SqlProfile, SqlRow } from "../kysely/sql/sql-connection.js";
import { type TableNames, toSqlTable } from "../kysely/sql/table-sql.js";

/** The parts of a SQLite storage for rebuilding tables. */
export interface RebuildParts {
  readonly profile: SqlProfile;
  readonly names: TableNames;
  readonly reader: SqlConnection;
  readonly setWriter: (pragma: string) => void;
  readonly change: (work: (connection: SqlConnection) => Promise<void>) => Promise<void>;
  /** The maximum size of the database, in bytes; a larger one stays unchanged. */
  readonly maxBytes: number;
}

/**
 * Rebuilds tables that an earlier release created `without rowid`. There the keys of the tree and the records are one: a lookup
 * by id reads every compared record completely, so a few long ones slow all lookups down. With rowids, ids have a separate index.
 * Logs of schema versions 3 to 5 had no column for their order. Each table is rebuilt in one transaction, and earlier releases
 * can use the new one like the old.
 */
export async function rebuildTables(parts: RebuildParts, tables: readonly Table[]): Promise<void> {
  const { change, maxBytes, names, profile, reader, setWriter } = parts;
  const isSmall = sizeOf(reader) <= maxBytes;
  const isOld = (connection: SqlConnection, table: Table): boolean => {
    const name = toSqlTable(names, table.name);
    return lacksOrder(connection, table, name) || (isSmall && isWithoutRowid(connection, name));
  };
  const old = tables.filter((table) => isOld(reader, table));
  if (old.length === 0) return;
  // Dropping a table would delete referencing rows, and renaming one would check views while it is missing.
  setWriter("foreign_keys = OFF");
  setWriter("legacy_alter_table = ON");
  try {
    for (const table of old)
      await change(async (connection) => {
        if (one(connection, "pragma foreign_keys").foreign_keys !== 0) throw new Error("Foreign keys could not be switched off.");
        // Another process may have been first.
        if (isOld(connection, table))
          await rebuild(connection, table, new SchemaWriter(profile, connection, names), toSqlTable(names, table.name));
      });
  } finally {
    setWriter("legacy_alter_table = OFF");
    setWriter("foreign_keys = ON");
  }
}

async function rebuild(connection: SqlConnection, table: Table, schema: SchemaWriter, name: string): Promise<void> {
  const next = `${name}_rebuilt`;
  const around = rows(
    connection,
    "select type, sql from sqlite_master where tbl_name = ? and type <> 'table' and sql is not null",
    name,
  );
  await schema.createCopy(table, next);
  const known = new Set(columnsOf(connection, next).map((column) => column.name));
  const columns = columnsOf(connection, name);
  // A later release, running beside this one, may have more columns.
  for (const column of columns)
    if (!known.has(column.name)) run(connection, `alter table "${next}" add column "${column.name}" ${column.type}`);
  const list = columns.map((column) => `"${column.name}"`).join(", ");
  run(connection, `insert into "${next}" (${list}) select ${list} from "${name}" order by "id"`);
  run(connection, `drop table "${name}"`);
  run(connection, `alter table "${next}" rename to "${name}"`);
  for (const { sql } of around) run(connection, withId(String(sql)));
}

// Indexes of a table without rowids contain its ids implicitly.
function withId(sql: string): string {
  return /^create index /i.test(sql) && !/"?\bid"?\s*[,)]/i.test(sql) ? sql.replace(/\)\s*$/, ', "id")') : sql;
}

function lacksOrder(connection: SqlConnection, table: Table, name: string): boolean {
  return table.isLog === true && !columnsOf(connection, name).some((column) => column.name === "added");
}

function isWithoutRowid(connection: SqlConnection, name: string): boolean {
  const [row] = rows(connection, "select sql from sqlite_master where type = 'table' and name = ?", name);
  return /\)\s*without rowid\s*$/i.test(String(row?.sql ?? ""));
}

function sizeOf(connection: SqlConnection): number {
  return Number(one(connection, "pragma page_count").page_count) * Number(one(connection, "pragma page_size").page_size);
}

function columnsOf(connection: SqlConnection, name: string): readonly SqlRow[] {
  return rows(connection, "select name, type from pragma_table_info(?)", name);
}

// SQLite connections are synchronous.
function rows(connection: SqlConnection, sql: string, ...parameters: readonly unknown[]): readonly SqlRow[] {
  return connection.all(sql, parameters) as readonly SqlRow[];
}

function one(connection: SqlConnection, sql: string): SqlRow {
  return rows(connection, sql)[0] ?? {};
}

function run(connection: SqlConnection, sql: string): void {
  void connection.run(sql, []);
}
