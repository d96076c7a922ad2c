// What Postgres says of statements: which a pool runs, how, and how many rows each visits.
import type { Table } from "latchkey/ports";
import type pg from "pg";
import { fillers, type Steps, sqlTable } from "./filled-tables.js";
import type { RecordedStatement, StatementLog } from "./operation-statements.js";

/** Records all statements of the connections that a pool makes from now on. */
export function recordPool(pool: pg.Pool, log: StatementLog): void {
  pool.on("connect", (client) => {
    const query: unknown = client.query;
    if (typeof query !== "function") throw new TypeError("pg has no query.");
    const recording = (...given: readonly unknown[]): unknown => {
      const [asked] = given;
      if (isStatement(asked)) log.add(asked.text, asked.values ?? []);
      return Reflect.apply(query, client, given);
    };
    Object.assign(client, { query: recording });
  });
}

function isStatement(asked: unknown): asked is { readonly text: string; readonly values?: readonly unknown[] } {
  return typeof asked === "object" && asked !== null && "text" in asked && typeof asked.text === "string";
}

/** How a statement runs on a table: the rows of the table that it visits, and whether its plan reads all of the table. */
export interface Execution extends Steps {
  readonly scans: boolean;
}

/** The tables of a service in a schema, and copies of them as they were at a time. */
export class FilledSchema {
  readonly #client: pg.PoolClient;
  readonly #schema: string;
  readonly #tables: readonly Table[];

  constructor(client: pg.PoolClient, schema: string, tables: readonly Table[]) {
    this.#client = client;
    this.#schema = schema;
    this.#tables = tables;
  }

  /** Copies all rows, for {@link restore}. */
  async save(): Promise<void> {
    await this.#client.query(`create schema "${this.#copies}"`);
    for (const name of this.#tables.map(sqlTable))
      await this.#client.query(`create table "${this.#copies}"."${name}" as table "${this.#schema}"."${name}"`);
  }

  /** Puts the copied rows back, and `count` beside them in each table. What happens on this connection causes nothing by foreign keys. */
  async restore(tenantId: string, count: number): Promise<void> {
    await this.#client.query(`set search_path = "${this.#schema}"`);
    await this.#client.query("set session_replication_role = replica");
    await this.#client.query("set plan_cache_mode = force_generic_plan");
    for (const table of this.#tables) {
      const name = sqlTable(table);
      await this.#client.query(`delete from "${name}"`);
      await this.#client.query(`insert into "${name}" overriding system value table "${this.#copies}"."${name}"`);
      await this.fill(table, tenantId, count);
    }
  }

  /** Adds rows to a table until it has `count` beside its own, and has it analyzed. */
  async fill(table: Table, tenantId: string, count: number): Promise<void> {
    const { columns, values } = fillers(table, tenantId, (suffix) => `lpad(to_hex(n), 8, '0') || '-${suffix}'`);
    const name = sqlTable(table);
    const numbers = `generate_series(1, ${count}) as n`;
    await this.#client.query(`insert into "${name}" (${columns}) select ${values} from ${numbers} on conflict do nothing`);
    await this.#client.query(`analyze "${name}"`);
  }

  /** Runs work whose changes are undone. */
  async undoing(work: (on: FilledSchema) => Promise<void>): Promise<void> {
    await this.#client.query("begin");
    try {
      await work(this);
    } finally {
      await this.#client.query("rollback");
    }
  }

  /** Runs a statement by a plan for any parameters, and undoes it. */
  async execute({ parameters, sql }: RecordedStatement, table: Table): Promise<Execution> {
    const given = parameters.length === 0 ? "" : `(${parameters.map(toLiteral)})`;
    // One round trip: there are many thousands of them.
    const results: unknown = await this.#client.query(
      `savepoint statement; prepare statement as ${sql}; explain (analyze, format json) execute statement${given}; rollback to savepoint statement; deallocate all`,
    );
    if (!Array.isArray(results)) throw new TypeError("Several statements have several results.");
    return describe(results[2].rows[0]["QUERY PLAN"][0].Plan, sqlTable(table));
  }

  /** A statement as those of SQLite look: without the schema, and with `?` for each parameter. */
  withoutSchema(sql: string): string {
    return sql.replaceAll(`"${this.#schema}".`, "").replaceAll(/\$\d+/g, "?");
  }

  /** Removes the copies. */
  async close(): Promise<void> {
    await this.#client.query(`drop schema if exists "${this.#copies}" cascade`);
    this.#client.release(true);
  }

  get #copies(): string {
    return `${this.#schema}_copies`;
  }
}

/** A step of a plan, as `explain` describes it. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

function describe(top: PlanNode, table: string): Execution {
  const nodes = listNodes(top).filter((node) => node["Relation Name"] === table && node["Node Type"] !== "ModifyTable");
  const visited = nodes.map((node) => {
    const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
    return (node["Actual Rows"] + removed) * node["Actual Loops"];
  });
  const returning = top["Node Type"] === "ModifyTable" ? (top.Plans?.[0] ?? top) : top;
  return {
    visited: visited.reduce((sum, rows) => sum + rows, 0),
    returned: returning["Actual Rows"],
    // A step that no parameters of the call led to says nothing of its rows.
    scans: nodes.some((node) => node["Node Type"] === "Seq Scan" && node["Actual Loops"] === 0),
  };
}

function listNodes(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)];
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return toLiteral(`{${JSON.stringify(value).slice(1, -1)}}`);
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** Whether a statement names a table. */
export function isOurs(sql: string, table: string): boolean {
  return sql.includes(`"${table}"`);
}
