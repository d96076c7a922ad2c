import type { ObjectNames } from "../../kysely/search/present-objects.js";
import type { TotalDefinition } from "../../kysely/search/stored-totals.js";
import { type Fragment, sql } from "../../kysely/sql/fragment.js";
import { trimName } from "../../kysely/sql/table-sql.js";
import type { Connections } from "../connections/connections.js";
import type { PgClientLike } from "../connections/pg-types.js";
import { type ConnectionWork, withTableLock } from "./table-lock.js";

/** The statements that create the triggers of a count, and those that count the records. */
interface TotalStatements {
  readonly triggers: readonly string[];
  readonly count: readonly string[];
}

/**
 * The statements that count records and create the triggers that maintain the count. Each change appends its difference, one row
 * for each statement, tenant and value, so that transactions never wait for each other's counts. Run in one transaction, without
 * existing triggers.
 */
function defineTotal(counts: string, { column, name, table }: TotalDefinition): TotalStatements {
  const of = table.split(".").slice(0, -1);
  const quoted = quote(table);
  const into = `insert into ${quote(counts)} (of_name, value, tenant_id, n)`;
  const key = (row: string): string => `'${name}', ${countedValue(row, column)}, ${tenantOf(row)}`;
  const changes = ["tenant_id", ...(column === undefined ? [] : [column])];
  const isOther = changes.map((one) => `old."${one}" is distinct from new."${one}"`).join(" or ");
  const bodies = {
    insert: `${into} select ${key("")}, count(*) from new_rows group by 1, 2, 3;`,
    delete: `${into} select ${key("")}, -count(*) from old_rows group by 1, 2, 3;`,
    update: `${into} values (${key("old.")}, -1), (${key("new.")}, 1);`,
    truncate: `delete from ${quote(counts)} where of_name = '${name}';`,
  };
  const triggers = {
    insert: `after insert on ${quoted} referencing new table as new_rows for each statement`,
    delete: `after delete on ${quoted} referencing old table as old_rows for each statement`,
    update: `after update of ${changes.map((one) => `"${one}"`).join(", ")} on ${quoted} for each row when (${isOther})`,
    truncate: `after truncate on ${quoted} for each statement`,
  };
  const made = countedEvents.flatMap((event) => {
    const routine = quote([...of, triggerName(name, event)].join("."));
    const header = `create or replace function ${routine}() returns trigger language plpgsql as`;
    return [
      `${header} $body$ begin ${bodies[event]} return null; end $body$`,
      `create trigger "${triggerName(name, event)}" ${triggers[event]} execute function ${routine}()`,
    ];
  });
  const triggersOf = [
    `create table if not exists ${quote(counts)} (of_name text collate "C" not null, value text collate "C" not null, tenant_id text collate "C" not null, n bigint not null)`,
    `create index if not exists "${counts.split(".").at(-1)}_of" on ${quote(counts)} (of_name, value, tenant_id)`,
    ...made,
  ];
  const count = [
    `delete from ${quote(counts)} where of_name = '${name}'`,
    `${into} select ${key("")}, count(*) from ${quoted} group by 1, 2, 3`,
  ];
  return { triggers: triggersOf, count };
}

const countedEvents = ["insert", "delete", "update", "truncate"] as const;

// In one statement: every reader sees the same sum.
function foldTotal(counts: string, name: string): string {
  const gone = `delete from ${quote(counts)} where of_name = '${name}' returning value, tenant_id, n`;
  const sums = "select value, tenant_id, sum(n) as n from gone group by 1, 2";
  const into = `insert into ${quote(counts)} (of_name, value, tenant_id, n)`;
  return `with gone as (${gone}) ${into} select '${name}', value, tenant_id, n from (${sums}) as sums where n <> 0`;
}

/** The names of the triggers of a count. */
export function triggerNames(name: string): ObjectNames {
  return [triggerName(name, "insert"), triggerName(name, "delete"), triggerName(name, "update")];
}

/** The name of the trigger that empties a count when its table is truncated. */
export function guardName(name: string): string {
  return triggerName(name, "truncate");
}

/** SQL for the number of these triggers that a table has. Disabled ones do not count. */
export function countTriggers(names: readonly string[], table: string): Fragment {
  const isOf = sql`tgrelid = to_regclass(${quote(table)}) and tgname = any(${names}::text[])`;
  return sql`select count(*) from pg_trigger where ${isOf} and tgenabled in ('O', 'A')`;
}

/** The name of a trigger and its function. */
function triggerName(name: string, event: (typeof countedEvents)[number]): string {
  // The database cuts longer names.
  return trimName(`sc_${event}_${name}`, 63);
}

function countedValue(row: string, column: string | undefined): string {
  return column === undefined ? "''" : `coalesce(${row}"${column}"::text, '')`;
}

function tenantOf(row: string): string {
  return `coalesce(${row}"tenant_id", '')`;
}

/** The quoted name of a table or function, with its schema. */
export function quote(name: string): string {
  return name
    .split(".")
    .map((part) => `"${part}"`)
    .join(".");
}

/** The names of a table's usable indexes and triggers, without invalid indexes from interrupted builds. */
export async function findObjects(client: PgClientLike, table: string): Promise<readonly string[]> {
  const indexes =
    "select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass($1) and i.indisvalid";
  const triggers = "select tgname as name from pg_trigger where tgrelid = to_regclass($1) and tgenabled in ('O', 'A')";
  const { rows } = await client.query({ text: `${indexes} union all ${triggers}`, values: [quote(table)] });
  return rows.map(({ name }) => String(name));
}

/** Whether a table has all of these objects. */
export async function hasObjects(client: PgClientLike, names: readonly string[], table: string): Promise<boolean> {
  const found = new Set(await findObjects(client, table));
  return names.every((name) => found.has(name));
}

/** Stores a count, or counts again. Writes to the table wait during the count: later ones fire the triggers. */
export function storeTotal(connections: Connections, counts: string, counted: TotalDefinition): Promise<void> {
  const table = quote(counted.table);
  const store = async (client: PgClientLike): Promise<void> => {
    const names = countedEvents.map((event) => triggerName(counted.name, event));
    const { count, triggers } = defineTotal(counts, counted);
    const drops = (await findTriggers(client, names, counted.table)).map((name) => `drop trigger "${name}" on ${table}`);
    const isComplete = await hasObjects(client, names, counted.table);
    const lock = `lock table ${table} in share row exclusive mode`;
    for (const text of [...(isComplete ? [lock] : [...drops, ...triggers]), ...count]) await runLong(client, text);
  };
  return withTableLock(connections, counted.table, inTransaction(counts, store));
}

// The remaining triggers of a count with dropped or disabled ones.
async function findTriggers(client: PgClientLike, names: readonly string[], table: string): Promise<readonly string[]> {
  const text = "select tgname as name from pg_trigger where tgrelid = to_regclass($1) and tgname = any($2::text[])";
  const { rows } = await client.query({ text, values: [quote(table), names] });
  return rows.map(({ name }) => String(name));
}

/** Adds up the appended rows of a count. */
export function foldTotals(connections: Connections, counts: string, name: string): Promise<void> {
  return connections.hold(inTransaction(counts, (client) => runLong(client, foldTotal(counts, name))));
}

function inTransaction(counts: string, work: (client: PgClientLike) => Promise<void>): ConnectionWork<void> {
  return async (client, discard) => {
    try {
      await client.query({ text: "begin isolation level read committed" });
      await client.query({ text: "set local statement_timeout to 0; set local lock_timeout to '10s'" });
      await client.query({ text: "select pg_advisory_xact_lock(hashtextextended($1, 0))", values: [counts] });
      await work(client);
      await client.query({ text: "commit" });
    } catch (error) {
      await client.query({ text: "rollback" }).catch(discard);
      throw error;
    }
  };
}

// Creating an index on a large table takes long.
const oneDay = 86_400_000;

/** Runs a long statement. */
export async function runLong(client: PgClientLike, text: string): Promise<void> {
  await client.query({ text, query_timeout: oneDay });
}
