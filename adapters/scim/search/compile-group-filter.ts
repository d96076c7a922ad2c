import type { Comparison, Filter } from "../filter/filter.js";
import { isId } from "./compile-filter.js";
import { isSearchableMember } from "./member-query.js";
import { isSearchable, toPattern } from "./text-test.js";

/** Criteria of the API's search for groups. */
export interface GroupFilterCriteria {
  /** Text filter on the name. */
  readonly name?: string;
  /** Member of `data` with the `externalId`. */
  readonly "data.scim.externalId"?: string;
}

/** What the storage can do of a filter of groups: both `criteria` and `memberId` must hold. */
export interface CompiledGroupFilter {
  /** Criteria that find all groups that match, and perhaps others; undefined finds all groups. */
  readonly criteria: GroupFilterCriteria | undefined;
  /** Id of a user: only groups of this user match; perhaps no id of any user. */
  readonly memberId?: string;
  /** Whether they find no other groups. Where it is false, ask `matches` about each group that they find. */
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
 * Returns the criteria of the API's search that find the groups that match a filter. `searchable` are the members of `data` of groups
 * that may be searched, without `data.`.
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

// Each criterion is one text, so a second one of its kind is left to `matches`.
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

// The API has no filter for a whole name, and those for its start are close to it.
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
