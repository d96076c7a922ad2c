import type { ObjectNames } from "../../kysely/search/present-objects.js";
import type { TotalDefinition } from "../../kysely/search/stored-totals.js";
import { type Fragment, join, sql } from "../../kysely/sql/fragment.js";

/** The statements that count records and create the triggers that maintain the count. */
export function defineTotal(counts: string, { column, name, table }: TotalDefinition): readonly string[] {
  const key = (row: string): string => `'${name}', ${countedValue(row, column)}, ${tenantOf(row)}`;
  const add = `insert into "${counts}" (of_name, value, tenant_id, n) values (${key("new.")}, 1)
    on conflict (of_name, value, tenant_id) do update set n = n + 1`;
  const isOld = `(of_name, value, tenant_id) = (${key("old.")})`;
  const subtract = `update "${counts}" set n = n - 1 where ${isOld}; delete from "${counts}" where ${isOld} and n = 0`;
  const changing = ["tenant_id", ...(column === undefined ? [] : [column])];
  const isOther = changing.map((one) => `old."${one}" is not new."${one}"`).join(" or ");
  const list = changing.map((one) => `"${one}"`).join(", ");
  const names = triggerNames(name);
  const [insert, onDelete, update] = names;
  return [
    // Remains after a part was dropped.
    ...names.map((one) => `drop trigger if exists "${one}"`),
    `create table if not exists "${counts}" (of_name text not null, value text not null, tenant_id text not null, n integer not null, primary key (of_name, value, tenant_id)) without rowid`,
    `delete from "${counts}" where of_name = '${name}'`,
    `insert into "${counts}" (of_name, value, tenant_id, n) select ${key("")}, count(*) from "${table}" group by 1, 2, 3`,
    `create trigger "${insert}" after insert on "${table}" begin ${add}; end`,
    `create trigger "${onDelete}" after delete on "${table}" begin ${subtract}; end`,
    `create trigger "${update}" after update of ${list} on "${table}" when ${isOther} begin ${subtract}; ${add}; end`,
  ];
}

/** The names of the triggers of a count. */
export function triggerNames(name: string): ObjectNames {
  return [`sc_${name}`, `sc_${name}_delete`, `sc_${name}_update`];
}

/** SQL for the number of these triggers. */
export function countTriggers(names: readonly string[]): Fragment {
  return sql`select count(*) from sqlite_master where type = 'trigger' and name in (${join(names.map((name) => sql`${name}`))})`;
}

function countedValue(row: string, column: string | undefined): string {
  return column === undefined ? "''" : `coalesce(cast(${row}"${column}" as text), '')`;
}

function tenantOf(row: string): string {
  return `coalesce(${row}"tenant_id", '')`;
}
