import type { Comparison, Filter } from "../filter/filter.js";
import type { AttributePath } from "../schema/types.js";
import {
  allRecords,
  type CompiledFilter,
  compileAnd,
  compileNot,
  compileOr,
  noRecords,
  notSearchable,
  toCompiled,
  withinLimits,
} from "./compiled-filter.js";
import { toMemberPath, toMemberQuery } from "./member-query.js";
import { toTextQuery } from "./text-test.js";

/**
 * Compiles a filter to a query of the API's user search. `searchable` are the searchable members of users' `data`, without
 * `data.`: `scim.externalId`. When `isExact` is false, call `matches` for each user that the query finds.
 */
export function compileUserFilter(filter: Filter, searchable: ReadonlySet<string>): CompiledFilter {
  return withinLimits(compile(filter, searchable));
}

function compile(filter: Filter, searchable: ReadonlySet<string>): CompiledFilter {
  switch (filter.kind) {
    case "and":
      return compileAnd(filter.filters.map((part) => compile(part, searchable)));
    case "or":
      return compileOr(filter.filters.map((part) => compile(part, searchable)));
    case "not":
      return compileNot(compile(filter.filter, searchable));
    case "present":
      return compilePresence(filter.path);
    case "value":
      return filter.path.text === "groups" ? compileGroupItem(filter.filter) : notSearchable;
    case "compare":
      return compileComparison(filter, searchable);
  }
}

// A user has one membership per group, so a test on the items of `groups` equals the test on their value.
function compileGroupItem(filter: Filter): CompiledFilter {
  if (filter.kind !== "compare" || filter.path.text !== "value" || filter.operator !== "eq") return notSearchable;
  return compileGroupId(filter.value);
}

const required: ReadonlySet<string> = new Set(["userName", "id", "active", "meta.created", "meta.lastModified"]);

// API fields equal to the attribute, null for users without it.
const nameFields: Readonly<Record<string, string>> = { "name.givenName": "firstName", "name.familyName": "lastName" };

// For a user without a full name, the field contains the first and last name.
const fullName = "name.formatted";

function compilePresence({ text }: AttributePath): CompiledFilter {
  if (required.has(text)) return allRecords;
  const field = Object.hasOwn(nameFields, text) ? nameFields[text] : undefined;
  if (field !== undefined) return hasText(field);
  return text === fullName ? { ...hasText("fullName"), isExact: false } : notSearchable;
}

function hasText(field: string): CompiledFilter {
  return { query: { wildcard: { [field]: "*" } }, isExact: true };
}

function compileComparison(comparison: Comparison, searchable: ReadonlySet<string>): CompiledFilter {
  const { operator, path, value } = comparison;
  if (value === null) return operator === "ne" ? compilePresence(path) : compileNot(compilePresence(path));
  if (operator !== "ne") return compileTest(comparison, searchable);
  return path.attribute.multiValued ? notSearchable : compileNot(compileTest({ ...comparison, operator: "eq" }, searchable));
}

function compileTest(comparison: Comparison, searchable: ReadonlySet<string>): CompiledFilter {
  const { operator, path, value } = comparison;
  const { text } = path;
  if (operator === "eq" && text === "active") return { query: { term: { active: value } }, isExact: true };
  if (typeof value !== "string") return notSearchable;
  if (operator === "eq" && text === "id") return isId(value) ? { query: { term: { id: value } }, isExact: true } : noRecords;
  if (operator === "eq" && text === "groups.value") return compileGroupId(value);
  if (text === "userName") return compileUserName(operator, value);
  if (text === fullName) return toCompiled(toTextQuery("fullName", operator, value), false);
  const field = Object.hasOwn(nameFields, text) ? nameFields[text] : undefined;
  if (field !== undefined) return toCompiled(toTextQuery(field, operator, value), true);
  return operator === "eq" ? compileMember(path, value, searchable) : notSearchable;
}

function compileMember(path: AttributePath, value: string, searchable: ReadonlySet<string>): CompiledFilter {
  const member = toMemberPath(path);
  if (member === undefined || !searchable.has(member)) return notSearchable;
  return toCompiled(toMemberQuery(`data.${member}`, value, (path.sub ?? path.attribute).caseExact), false);
}

// A user without a username has the email address as `userName`.
function compileUserName(operator: Comparison["operator"], value: string): CompiledFilter {
  const byUsername = toCompiled(toTextQuery("username", operator, value), true);
  const byEmail = toCompiled(toTextQuery("email", operator, value), true);
  return compileOr([byUsername, compileAnd([byEmail, compileNot(hasText("username"))])]);
}

function compileGroupId(value: Comparison["value"]): CompiledFilter {
  const id = String(value).toLowerCase();
  return isId(id) ? { query: { term: { "memberships.groupId": id } }, isExact: true } : noRecords;
}

/** Whether a text is an id in the API's format. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
