import type { Comparison, Filter } from "../filter/filter.js";
import { isId } from "./compile-filter.js";
import { isSearchableMember } from "./member-query.js";
import { isSearchable, toPattern } from "./text-test.js";

/** Criteria of the API's search for groups. */
export interface GroupFilterCriteria {
  readonly name?: string;
  readonly "data.scim.externalId"?: string;
}

/** The part of a group filter that the storage can evaluate: both `criteria` and `memberId` must match. */
export interface CompiledGroupFilter {
  /** Criteria that find all matching groups, and perhaps others; undefined finds all groups. */
  readonly criteria: GroupFilterCriteria | undefined;
  /** Id of a user: only groups of this user match; may not be a valid id. */
  readonly memberId?: string;
  /** Whether they find only matching groups. When false, call `matches` for each group found. */
  readonly isExact: boolean;
}

interface Part {
  readonly name?: string;
  readonly externalId?: string;
  readonly memberId?: string;
  readonly isExact: boolean;
}

const unknown: Part = { isExact: false };

/**
 * Compiles a filter to criteria of the API's group search. `searchable` are the searchable members of groups' `data`, without
 * `data.`.
 */
export function compileGroupFilter(filter: Filter, searchable: ReadonlySet<string>): CompiledGroupFilter {
  const { name, externalId, memberId, isExact } = compile(filter, searchable);
  const criteria = {
    ...(name !== undefined && { name }),
    ...(externalId !== undefined && { "data.scim.externalId": externalId }),
  };
  return {
    criteria: Object.keys(criteria).length === 0 ? undefined : criteria,
    ...(memberId !== undefined && { memberId }),
    isExact,
  };
}

function compile(filter: Filter, searchable: ReadonlySet<string>): Part {
  switch (filter.kind) {
    case "and":
      return filter.filters.map((part) => compile(part, searchable)).reduce(join);
    case "present":
      return { isExact: filter.path.text === "displayName" || filter.path.text === "id" };
    case "value":
      return filter.path.text === "members" && isEqual(filter.filter, "value") ? toMember(filter.filter.value) : unknown;
    case "compare":
      return compileComparison(filter, searchable);
    default:
      return unknown;
  }
}

// Each criterion is one text, so `matches` evaluates a second one of its kind.
function join(one: Part, other: Part): Part {
  const names = ["name", "externalId", "memberId"] as const;
  const isDouble = names.some((name) => one[name] !== undefined && other[name] !== undefined);
  return { ...other, ...one, isExact: one.isExact && other.isExact && !isDouble };
}

function isEqual(filter: Filter, text: string): filter is Comparison {
  return filter.kind === "compare" && filter.operator === "eq" && filter.path.text === text;
}

function compileComparison(comparison: Comparison, searchable: ReadonlySet<string>): Part {
  const { operator, path, value } = comparison;
  if (typeof value !== "string") return unknown;
  if (path.text === "displayName") return toName(operator, value);
  if (isEqual(comparison, "members.value")) return toMember(value);
  const isSearched = isEqual(comparison, "externalId") && searchable.has("scim.externalId");
  const isFound = isSearched && isSearchableMember(value) && !value.includes("*");
  return isFound ? { externalId: value, isExact: false } : unknown;
}

// The API has no filter for a whole name: a prefix filter is the closest.
function toName(operator: Comparison["operator"], value: string): Part {
  const [start = ""] = isSearchable(value) ? value.split("*", 1) : [];
  if (operator === "eq") return start === "" ? unknown : { name: `${start}*`, isExact: false };
  const name = toPattern(operator, value);
  return name === undefined ? unknown : { name, isExact: true };
}

function toMember(value: Comparison["value"]): Part {
  const memberId = String(value);
  return { memberId, isExact: isId(memberId) };
}
