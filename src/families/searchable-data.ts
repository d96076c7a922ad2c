import { maxSearchableMembers, memberPath } from "../operations/family/searchable-members.js";
import type { Table } from "../ports/storage.js";
import type { SearchDefinition } from "../search/parse-criteria.js";
import { isObject } from "../shared/objects.js";
import { families } from "./index.js";

/**
 * Returns the searchable members by wrapper, as paths from the record. @throws TypeError for a family without search, and for an
 * invalid path.
 */
export function toSearchableData(
  given: Readonly<Record<string, readonly string[]>> = {},
): ReadonlyMap<string, readonly string[]> {
  if (!isObject(given)) throw new TypeError('searchableData must be an object, such as { users: ["department"] }.');
  if (Object.keys(given).length === 0) return new Map();
  const searched = listSearchFamilies();
  const entries = Object.entries(given).map(([family, paths]) => {
    const wrapper = searched.get(family)?.wrapper;
    if (wrapper === undefined)
      throw new TypeError(`searchableData.${family} is no family that can be searched: use ${[...searched.keys()].join(", ")}.`);
    if (!Array.isArray(paths) || paths.length > maxSearchableMembers.byHost)
      throw new TypeError(`searchableData.${family} must be a list of at most ${maxSearchableMembers.byHost} paths.`);
    for (const path of paths)
      if (typeof path !== "string" || !memberPath.test(path))
        throw new TypeError(
          `searchableData.${family} has a path that is none: names of letters, digits, _ and -, with dots between them.`,
        );
    return [wrapper, paths.map((path) => `data.${path}`)] as const;
  });
  return new Map(entries);
}

/** The row of a family with search. */
export interface SearchFamily {
  readonly name: string;
  readonly wrapper: string;
  readonly table: Table;
  readonly search: SearchDefinition;
}

/** Returns the families with search, by name. */
export function listSearchFamilies(): ReadonlyMap<string, SearchFamily> {
  const rows = Object.values(families).flatMap(({ row }): readonly SearchFamily[] => (isSearchFamily(row) ? [row] : []));
  return new Map(rows.map((row) => [row.name, row]));
}

function isSearchFamily(row: object): row is SearchFamily {
  return "wrapper" in row && "operations" in row && "search" in (row.operations as object);
}
