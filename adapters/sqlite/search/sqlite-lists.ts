import type { ObjectNames } from "../../kysely/search/present-objects.js";
import type { ListDefinition } from "../../kysely/search/stored-lists.js";
import { type Fragment, ref, sql } from "../../kysely/sql/fragment.js";
import { toPath } from "./json-members.js";

/** The statements that store the items of lists with the ids of their records, and create the triggers that maintain them. */
export function storeList({ member, name, table }: ListDefinition): readonly string[] {
  const items = itemsTable(name);
  const path = toPath(member);
  const add = (record: string, from: string): string =>
    `insert or ignore into "${items}" (item, id) select lower(item.value), ${record}id from ${from} where item.type = 'text'`;
  const each = (record: string): string =>
    `json_each(case json_type(${record}json, ${path}) when 'array' then ${record}json -> ${path} else '[]' end) as item`;
  const remove = `delete from "${items}" where id = old.id`;
  const names = listTriggers(name);
  const [insert, onDelete, update] = names;
  return [
    // Remains after a part was dropped.
    ...names.map((one) => `drop trigger if exists "${one}"`),
    `drop table if exists "${items}"`,
    `create table "${items}" (item text not null, id text not null, primary key (item, id)) without rowid`,
    `create index "${items}_id" on "${items}" (id)`,
    add("t.", `"${table}" as t, ${each("t.")}`),
    `create trigger "${insert}" after insert on "${table}" begin ${add("new.", each("new."))}; end`,
    `create trigger "${onDelete}" after delete on "${table}" begin ${remove}; end`,
    `create trigger "${update}" after update of json on "${table}" when old.json -> ${path} is not new.json -> ${path}
      begin ${remove}; ${add("new.", each("new."))}; end`,
  ];
}

/** The ids of the records with an item in their list. */
export function idsInList({ name }: ListDefinition, item: string): Fragment {
  return sql`select id from ${ref(itemsTable(name))} where item = ${item}`;
}

/** The names of the triggers that store the items of a list. */
export function listTriggers(name: string): ObjectNames {
  return [`sl_${name}`, `sl_${name}_delete`, `sl_${name}_update`];
}

function itemsTable(name: string): string {
  return `${name}_items`;
}
