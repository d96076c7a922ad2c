import type { TotalDefinition } from "../../kysely/search/stored-totals.js";

/** The statements that count records and make the triggers that keep the count. Before them, no trigger is there. */
export function defineTotal(counts: string, { column, name, table }: TotalDefinition): readonly string[] {
  const key = (row: string): string => `'${name}', ${countedValue(row, column)}, ${tenantOf(row)}`;
  const add = `insert into "${counts}" (of_name, value, tenant_id, n) values (${key("new.")}, 1)
    on conflict (of_name, value, tenant_id) do update set n = n + 1`;
  const isOld = `(of_name, value, tenant_id) = (${key("old.")})`;
  const subtract = `update "${counts}" set n = n - 1 where ${isOld}; delete from "${counts}" where ${isOld} and n = 0`;
  const changing = ["tenant_id", ...(column === undefined ? [] : [column])];
  const isOther = changing.map((one) => `old."${one}" is not new."${one}"`).join(" or ");
  const list = changing.map((one) => `"${one}"`).join(", ");
  return [
    `create table if not exists "${counts}" (of_name text not null, value text not null, tenant_id text not null, n integer not null, primary key (of_name, value, tenant_id)) without rowid`,
    `delete from "${counts}" where of_name = '${name}'`,
    `insert into "${counts}" (of_name, value, tenant_id, n) select ${key("")}, count(*) from "${table}" group by 1, 2, 3`,
    `create trigger "${triggerName(name)}" after insert on "${table}" begin ${add}; end`,
    `create trigger "${triggerName(name)}_delete" after delete on "${table}" begin ${subtract}; end`,
    `create trigger "${triggerName(name)}_update" after update of ${list} on "${table}" when ${isOther} begin ${subtract}; ${add}; end`,
  ];
}

/** The name of the trigger that shows that a count is stored. */
export function triggerName(name: string): string {
  return `sc_${name}`;
}

function countedValue(row: string, column: string | undefined): string {
  return column === undefined ? "''" : `coalesce(cast(${row}"${column}" as text), '')`;
}

function tenantOf(row: string): string {
  return `coalesce(${row}"tenant_id", '')`;
}
