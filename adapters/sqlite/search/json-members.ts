import { type Fragment, raw, sql } from "../../kysely/sql/fragment.js";
import { maxMemberLength, splitPath } from "../../kysely/sql/json-path.js";

/** SQL for the value of a member of a JSON text: a text in lower case, a number or a flag as written. */
export function memberSql(json: Fragment, path: string): Fragment {
  const place = raw(toPath(path));
  const isShort = sql`length(${json} ->> ${place}) <= ${raw(String(maxMemberLength))}`;
  const text = sql`when 'text' then case when ${isShort} then lower(${json} ->> ${place}) end`;
  const numbers = sql`when 'integer' then ${json} -> ${place} when 'real' then ${json} -> ${place}`;
  return sql`case json_type(${json}, ${place}) ${text} ${numbers} when 'true' then 'true' when 'false' then 'false' end`;
}

/** SQL that is true when the list in a member of a JSON text contains an item. */
export function includesSql(json: Fragment, path: string, item: string): Fragment {
  const items = sql`${json}, ${raw(toPath(path))}`;
  const isItem = sql`item.type = 'text' and lower(item.value) = ${item}`;
  return sql`json_type(${items}) = 'array' and exists (select 1 from json_each(${items}) as item where ${isItem})`;
}

/** The path of a member in SQLite's syntax. */
export function toPath(path: string): string {
  const names = splitPath(path).map((name) => `."${name}"`);
  return `'$${names.join("")}'`;
}
