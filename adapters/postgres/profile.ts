import { PostgresQueryCompiler } from "kysely";
import type { SqlProfile } from "../kysely/sql/sql-connection.js";
import { toArrayText } from "./connections/array-text.js";
import { includesSql, memberSql } from "./connections/json-members.js";
import { isMissingTable } from "./connections/pg-types.js";
import { findTrigramOperators, listSchema, needsTrigrams, prepareTrigrams } from "./migration.js";

/** The differences of Postgres from other databases. */
export const postgresProfile: SqlProfile = {
  compiler: new PostgresQueryCompiler(),
  // Compares texts by their UTF-8 bytes, which is code point order, regardless of the database's collation.
  columnTypes: { text: 'text collate "C"', integer: "bigint", boolean: "boolean" },
  toArray: toArrayText,
  arrayTypes: { id: "text[]", text: "text[]", integer: "bigint[]", boolean: "boolean[]" },
  toParameter: (value) => value,
  member: memberSql,
  includes: includesSql,
  likeFrom: 3,
  substrings: { prepare: prepareTrigrams, findOperators: findTrigramOperators, needs: needsTrigrams },
  listTest: { before: "= any(", after: ")", toParameter: (values) => values },
  sortsNullsFirst: false,
  listSchema,
  logOrder: "bigint generated always as identity primary key",
  locksRows: true,
  maxNameLength: 63,
  isMissingTable,
  isDurable: true,
  isShared: true,
};
