import { type Fragment, raw, sql } from "../../kysely/sql/fragment.js";
import { maxMemberLength, splitPath } from "../../kysely/sql/json-path.js";

/** SQL for the value of a member of a JSON text: a text in lower case, a number or a flag as written. */
export function memberSql(json: Fragment, path: string): Fragment {
  const place = raw(`'{${splitPath(path).join(",")}}'`);
  const value = sql`(${json}::jsonb #>> ${place}) collate "C"`;
  const kind = sql`jsonb_typeof(${json}::jsonb #> ${place})`;
  const isShort = sql`length(${value}) <= ${raw(String(maxMemberLength))}`;
  return sql`case when ${kind} = 'string' and ${isShort} then lower(${value}) when ${kind} in ('number', 'boolean') then ${value} end`;
}

/** SQL that is true when the list in a member of a JSON text contains an item. */
export function includesSql(json: Fragment, path: string, item: string): Fragment {
  return sql`${listSql(json, path)} @> ${JSON.stringify([item])}::text::jsonb`;
}

/** The list in a member of a JSON text. It can be indexed. */
export function listSql(json: Fragment, path: string): Fragment {
  // Lowers ASCII letters only, since the text has the collation C. Lowers names too.
  return sql`(lower(${json})::jsonb #> ${raw(`'{${splitPath(path).join(",").toLowerCase()}}'`)})`;
}
