import { PostgresQueryCompiler } from "kysely";
import type { SqlProfile } from "../kysely/sql-connection.js";
import { findTrigramOperators } from "./trigrams.js";

/** Where Postgres differs from other databases. */
export const postgresProfile: SqlProfile = {
  compiler: new PostgresQueryCompiler(),
  // Texts are compared by their bytes in UTF-8, which is by code point, regardless of the database's collation.
  columnTypes: { text: 'text collate "C"', integer: "bigint", boolean: "boolean" },
  arrayTypes: { id: "text[]", text: "text[]", integer: "bigint[]", boolean: "boolean[]" },
  toParameter: (value) => value,
  likeFrom: 3,
  substringOperators: findTrigramOperators,
  listTest: { before: "= any(", after: ")", toParameter: (values) => values },
  sortsNullsFirst: false,
  logOrder: "bigint generated always as identity primary key",
  locksRows: true,
  maxNameLength: 63,
  isDurable: true,
  isShared: true,
};
