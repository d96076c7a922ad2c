import { type CreateTableBuilder, sql } from "kysely";
import type { Column, Table } from "latchkey";
import type { SqlConnection, SqlDatabase, SqlProfile } from "./sql-connection.js";
import { standardColumns, toSqlName } from "./table-sql.js";

/**
 * Brings a database to the newest schema version. A version is what the table definitions say came `since` it, so the
 * history is the definitions themselves: forward only, and additive – what an older release wrote and reads stays there.
 * Runs in one write transaction, which lets a second process that starts at the same time wait and then find the work done.
 */
export async function migrate<Native>(database: SqlDatabase<Native>, tables: readonly Table[], prefix: string): Promise<void> {
  const newest = Math.max(...tables.flatMap(versionsOf));
  await database.transaction(async ({ connection }) => {
    const schema = new SchemaWriter(database.profile, connection, prefix);
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

class SchemaWriter {
  readonly #profile: SqlProfile;
  readonly #connection: SqlConnection;
  readonly #prefix: string;

  constructor(profile: SqlProfile, connection: SqlConnection, prefix: string) {
    this.#profile = profile;
    this.#connection = connection;
    this.#prefix = prefix;
  }

  async currentVersion(): Promise<number> {
    const table = this.#profile.builder.schema.createTable(`${this.#prefix}schema_versions`).ifNotExists();
    await this.#execute(table.addColumn("version", "integer", (column) => column.primaryKey()));
    const [row] = await this.#connection.all(`select max(version) as version from "${this.#prefix}schema_versions"`, []);
    return Number(row?.version ?? 0);
  }

  async recordVersion(version: number): Promise<void> {
    const query = this.#profile.builder.insertInto(`${this.#prefix}schema_versions`).values({ version }).compile();
    await this.#connection.run(query.sql, query.parameters);
  }

  async bringToVersion(table: Table, version: number): Promise<void> {
    if (table.since === version) await this.#createTable(table);
    else await this.#addColumns(table, version);
    const indexes = table.indexes.filter((index) => (index.since ?? table.since) === version);
    for (const index of indexes) await this.#createIndex(table, index.columns, false);
  }

  async #createTable(table: Table): Promise<void> {
    let builder = this.#profile.builder.schema.createTable(this.#sqlTable(table.name)) as TableBuilder;
    for (const [name, column] of Object.entries(this.#columnsAt(table, table.since))) {
      builder = builder.addColumn(toSqlName(name), this.#type(column), (definition) => {
        if (name === "id") return definition.primaryKey().notNull();
        return column.isNullable ? definition : definition.notNull();
      });
      builder = this.#addForeignKey(builder, name, column);
    }
    await this.#execute(this.#profile.clustersById ? builder.modifyEnd(sql`without rowid`) : builder);
    for (const key of table.uniqueKeys) await this.#createIndex(table, key.columns, true);
  }

  #addForeignKey(builder: TableBuilder, name: string, column: Column): TableBuilder {
    const { references } = column;
    if (references === undefined || references.isEnforced === false) return builder;
    const constraint = `fk_${toSqlName(name)}`;
    const other = this.#sqlTable(references.table);
    const columns: never[] = [toSqlName(name) as never];
    return builder.addForeignKeyConstraint(constraint, columns, other, ["id"], (key) => key.onDelete(references.onRemove));
  }

  // The tenant of a record is a reference as well; the tenants' own table points to itself and needs none.
  #columnsAt(table: Table, version: number): Record<string, Column> {
    const own = Object.entries(table.columns).filter(([, column]) => (column.since ?? table.since) === version);
    const hasTenant = table.tenancy !== "global" && table.name !== "tenants";
    const tenantId: Column = {
      type: "id",
      isNullable: table.tenancy !== "tenant",
      ...(hasTenant && { references: { table: "tenants", onRemove: "cascade" } }),
    };
    return { ...standardColumns, tenantId, ...Object.fromEntries(own) };
  }

  async #addColumns(table: Table, version: number): Promise<void> {
    for (const [name, column] of Object.entries(table.columns)) {
      if (column.since !== version) continue;
      const builder = this.#profile.builder.schema.alterTable(this.#sqlTable(table.name));
      await this.#execute(builder.addColumn(toSqlName(name), this.#type(column)));
    }
  }

  async #createIndex(table: Table, columns: readonly string[], isUnique: boolean): Promise<void> {
    const sqlColumns = columns.map(toSqlName);
    const name = `${isUnique ? "uq" : "ix"}_${this.#sqlTable(table.name)}_${sqlColumns.join("_")}`;
    let builder = this.#profile.builder.schema
      .createIndex(name)
      .on(this.#sqlTable(table.name))
      .expression(sql.join(sqlColumns.map((column) => sql.ref(column))));
    if (isUnique) builder = builder.unique();
    await this.#execute(builder);
  }

  #type(column: Column): ReturnType<typeof sql> {
    const { columnTypes } = this.#profile;
    return sql.raw(column.type === "id" ? columnTypes.text : columnTypes[column.type]);
  }

  #sqlTable(name: string): string {
    return this.#prefix + toSqlName(name);
  }

  async #execute(builder: { compile(): { sql: string; parameters: readonly unknown[] } }): Promise<void> {
    const query = builder.compile();
    await this.#connection.run(query.sql, query.parameters);
  }
}

type TableBuilder = CreateTableBuilder<string, string>;
