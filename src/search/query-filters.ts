import type { SearchFilter } from "./parse-criteria.js";
import { parseQueryDocument } from "./parse-query-document.js";
import { parseQueryString } from "./parse-query-string.js";
import { QueryError, type QueryFields, withMembers } from "./query-fields.js";

/**
 * The criteria of a family with ids and queries in both query languages (docs/reference/users.md, docs/reference/entities.md).
 */
export function queryFilters(known: QueryFields): Readonly<Record<"ids" | "query" | "queryString", SearchFilter>> {
  return {
    ids: { kind: "ids", column: "id" },
    query: { kind: "query", toFilter: (value, members) => parseQueryDocument(withMembers(known, members), value) },
    queryString: { kind: "query", toFilter: (value, members) => parseQueryString(withMembers(known, members), asText(value)) },
  };
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new QueryError("The query must be a text.");
}
