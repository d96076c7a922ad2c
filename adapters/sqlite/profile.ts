import { SqliteQueryCompiler } from "kysely";
import type { SqlProfile } from "../kysely/sql-connection.js";

/** What is particular about SQLite. */
export const sqliteProfile: SqlProfile = {
  compiler: new SqliteQueryCompiler(),
  columnTypes: { text: "text", integer: "integer", boolean: "integer" },
  toParameter: (value) => (typeof value === "boolean" ? Number(value) : value),
  likeIgnoresCase: true,
  makesLargeIndexes: true,
  listTest: { before: "in (select value from json_each(", after: "))", toParameter: (values) => JSON.stringify(values) },
  sortsNullsFirst: true,
  logOrder: "integer primary key autoincrement",
  indexesHoldIds: true,
  isDurable: true,
  isShared: true,
};
