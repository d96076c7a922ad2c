import type { Column, OnRemove, Table } from "latchkey/ports";
import { compile, type Fragment, join, raw, ref, sql } from "./sql/fragment.js";
import type { SqlConnection, SqlDatabase, SqlProfile } from "./sql/sql-connection.js";
import { standardColumns, type TableNames, toSqlName, toSqlTable, trimName } from "./sql/table-sql.js";

/**
 * Migrates a database to the newest schema version. The `since` of table definitions is the history: forward only, and additive,
 * so data of an older release stays readable. Runs in one write transaction: a second process that starts at the same time waits,
 * then finds the work done.
 */
export async function migrate<Native>(database: SqlDatabase<Native>, tables: readonly Table[], names: TableNames): Promise<void> {
  const newest = Math.max(...tables.flatMap(versionsOf));
  await database.migration(async (connection) => {
    const schema = new SchemaWriter(database.profile, connection, names);
    const current = await schema.currentVersion();
    if (current >= newest) return;
    // From the first version on: tables, columns and indexes may have been added to a version after databases migrated to it.
    await schema.readExisting();
    for (let version = 1; version <= newest; version++) for (const table of tables) await schema.bringToVersion(table, version);
    await schema.recordVersion(newest);
  });
}

function versionsOf(table: Table): number[] {
  const columns = Object.values(table.columns).map((column) => column.since ?? table.since);
  return [table.since, ...columns, ...table.indexes.map((index) => index.since ?? table.since)];
}

const namePrefixes = { index: "ix", "unique index": "uq" } as const;

/** Writes and reads the schema of one database, on the connection of a transaction. */
export class SchemaWriter {
  readonly #profile: SqlProfile;
  readonly #connection: SqlConnection;
  readonly #names: TableNames;
  /** Names of tables and indexes, and of columns as `table.column`. */
  readonly #existing = new Set<string>();

  constructor(profile: SqlProfile, connection: SqlConnection, names: TableNames) {
    this.#profile = profile;
    this.#connection = connection;
    this.#names = names;
  }

  async currentVersion(): Promise<number> {
    const table = this.#table("schemaVersions");
    // The database refuses even `if not exists` to a user without the right to create tables.
    if (!(await this.#hasVersions())) await this.#execute(sql`create table ${table} (version integer primary key)`);
    const query = compile(this.#profile.compiler, sql`select max(version) as version from ${table}`);
    const [row] = await this.#connection.all(query.sql, query.parameters);
    return Number(row?.version ?? 0);
  }

  async #hasVersions(): Promise<boolean> {
    const { compiler, listSchema } = this.#profile;
    const listed = sql`(${listSchema(this.#names.schema)}) as listed`;
    const name = this.#names.tablePrefix + toSqlName("schemaVersions");
    const { parameters, sql: text } = compile(
      compiler,
      sql`select 1 as present from ${listed} where listed.name = ${name} limit 1`,
    );
    return (await this.#connection.first(text, parameters)) !== undefined;
  }

  async recordVersion(version: number): Promise<void> {
    await this.#execute(sql`insert into ${this.#table("schemaVersions")} (version) values (${version})`);
  }

  /** Reads the existing schema, so that only missing parts take locks. */
  async readExisting(): Promise<void> {
    const { compiler, listSchema } = this.#profile;
    const { parameters, sql: text } = compile(compiler, listSchema(this.#names.schema));
    for (const { name, column } of await this.#connection.all(text, parameters))
      this.#existing.add(String(name)).add(`${name}.${column}`);
  }

  /** Adds the missing parts of a table's version. */
  async bringToVersion(table: Table, version: number): Promise<void> {
    const name = this.#nameOf(table);
    // The database refuses a different table with this name.
    const isThere = this.#existing.has(`${name}.json`);
    if (table.since === version && !isThere) await this.#createTable(table);
    else await this.#addColumns(table, version, this.#table(table.name), name);
    const keys = table.uniqueKeys.filter((key) => (key.since ?? table.since) === version);
    for (const { columns } of keys) await this.#createIndex(table, columns, "unique index");
    const { makesLargeIndexes = false } = this.#profile;
    const indexes = table.indexes.filter(
      (index) => (index.since ?? table.since) === version && !(index.whenLarge && makesLargeIndexes),
    );
    // Substring indexes are created when a large table is searched: they slow down each write.
    for (const { columns, kind } of indexes)
      await (kind === "substring"
        ? this.#profile.substrings?.prepare(this.#connection)
        : this.#createIndex(table, columns, "index"));
  }

  /** Creates a table under another name, without its indexes and records. */
  async createCopy(table: Table, name: string): Promise<void> {
    await this.#createColumns(table, ref(name));
    const later = new Set(Object.values(table.columns).flatMap(({ since }) => since ?? []));
    later.delete(table.since);
    for (const version of [...later].sort((one, other) => one - other)) await this.#addColumns(table, version, ref(name), name);
  }

  async #createTable(table: Table): Promise<void> {
    await this.#createColumns(table, this.#table(table.name));
  }

  async #createColumns(table: Table, target: Fragment): Promise<void> {
    const columns = Object.entries(this.#columnsAt(table, table.since));
    const definitions = columns.map(([name, column]) => {
      const key = name === "id" && !table.isLog ? sql` primary key` : sql``;
      const presence = column.isNullable ? sql`` : sql` not null`;
      return sql`${ref(toSqlName(name))} ${this.#type(column)}${key}${presence}`;
    });
    const constraints = columns.flatMap(([name, column]) => {
      const isLost = name === "tenantId" && table.outlivesTenant;
      return this.#foreignKey(name, column, isLost ? "set null" : column.references?.onRemove);
    });
    const body = join([...this.#logOrder(table), ...definitions, ...constraints]);
    await this.#execute(sql`create table ${target} (${body})`);
  }

  #logOrder(table: Table): Fragment[] {
    return table.isLog ? [sql`added ${raw(this.#profile.logOrder)}`] : [];
  }

  #foreignKey(name: string, { references }: Column, onRemove: OnRemove | "set null" = "restrict"): Fragment[] {
    if (references === undefined || references.isEnforced === false) return [];
    const column = toSqlName(name);
    const other = this.#table(references.table);
    const constraint = sql`constraint ${ref(`fk_${column}`)} foreign key (${ref(column)})`;
    return [sql`${constraint} references ${other} (id) on delete ${raw(onRemove)}`];
  }

  // The tenant of a record is a foreign key too, except in the tenants table, which would reference itself.
  #columnsAt(table: Table, version: number): Record<string, Column> {
    const own = Object.entries(table.columns).filter(([, column]) => (column.since ?? table.since) === version);
    const hasTenant = table.tenancy !== "global" && table.name !== "tenants";
    const tenantId: Column = {
      type: "id",
      isNullable: table.tenancy !== "tenant",
      ...(hasTenant && { references: { table: "tenants", onRemove: "cascade" } }),
    };
    // Wide texts come last: databases read a row from its start and may have to skip a text to reach later columns.
    const { json, hidden, ...others } = standardColumns;
    return { ...others, tenantId, ...Object.fromEntries(own), json, hidden } as Record<string, Column>;
  }

  async #addColumns(table: Table, version: number, target: Fragment, existing: string): Promise<void> {
    for (const [name, column] of Object.entries(table.columns)) {
      const sqlName = toSqlName(name);
      if ((column.since ?? table.since) !== version || this.#existing.has(`${existing}.${sqlName}`)) continue;
      await this.#execute(sql`alter table ${target} add column ${ref(sqlName)} ${this.#type(column)}`);
    }
  }

  async #createIndex(table: Table, columns: readonly string[], kind: "index" | "unique index"): Promise<void> {
    const hasId = kind === "index" && this.#profile.indexesHoldIds === true && !table.isLog && !columns.includes("id");
    const refs = [...columns, ...(hasId ? ["id"] : [])].map((column) => ref(toSqlName(column)));
    const name = this.#indexName(table, columns, kind);
    if (this.#existing.has(name)) return;
    await this.#execute(sql`create ${raw(kind)} ${ref(name)} on ${this.#table(table.name)} (${join(refs)})`);
  }

  #indexName(table: Table, columns: readonly string[], kind: keyof typeof namePrefixes): string {
    const { maxNameLength = Number.POSITIVE_INFINITY } = this.#profile;
    return trimName(`${namePrefixes[kind]}_${this.#nameOf(table)}_${columns.map(toSqlName).join("_")}`, maxNameLength);
  }

  /** The name of a table without its schema. */
  #nameOf(table: Table): string {
    return this.#names.tablePrefix + toSqlName(table.name);
  }

  #type(column: Column): Fragment {
    const { columnTypes } = this.#profile;
    return raw(column.type === "id" ? columnTypes.text : columnTypes[column.type]);
  }

  #table(name: string): Fragment {
    return ref(toSqlTable(this.#names, name));
  }

  async #execute(query: Fragment): Promise<void> {
    const { sql: text, parameters } = compile(this.#profile.compiler, query);
    await this.#connection.run(text, parameters);
  }
}
