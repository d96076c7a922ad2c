import { type Fragment, sql } from "../kysely/sql/fragment.js";

/** SQL that lists the tables and indexes of a database, with a row for each column of a table. */
export function listSchema(): Fragment {
  return sql`select found.name, of_table.name as "column" from sqlite_master as found left join pragma_table_info(found.name) as of_table`;
}
