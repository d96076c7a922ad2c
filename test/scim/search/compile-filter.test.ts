import { describe, expect, test } from "vitest";
import { parseFilter } from "../../../adapters/scim/filter/parse-filter.js";
import { groupType, userType } from "../../../adapters/scim/schema/schemas.js";
import { compileUserFilter } from "../../../adapters/scim/search/compile-filter.js";
import { compileGroupFilter } from "../../../adapters/scim/search/compile-group-filter.js";
import { compileSort } from "../../../adapters/scim/search/compile-sort.js";
import { parseQueryDocument } from "../../../src/search/parse-query-document.js";
import { withMembers } from "../../../src/search/query-fields.js";
import { queryFields } from "../../search/support.js";
import { searchable } from "./random-searches.js";

const id = "00000000-0000-4000-8000-00000000000a";
const declared = new Set(searchable);
const compile = (text: string, members: ReadonlySet<string> = declared) =>
  compileUserFilter(parseFilter(userType, text), members);
const compileGroup = (text: string) => compileGroupFilter(parseFilter(groupType, text), new Set(["scim.externalId"]));

const nobody = { terms: { id: [] } };
const byName = (query: object) => ({
  bool: { should: [query, { bool: { must: [expect.anything(), { bool: { must_not: [{ wildcard: { username: "*" } }] } }] } }] },
});

describe("exact filters of users", () => {
  test.each([
    ['userName eq "Ann"', byName({ term: { username: "Ann" } })],
    ['userName eq "a*b"', byName({ term: { username: "a*b" } })],
    ['USERNAME sw "a"', byName({ wildcard: { username: "a*" } })],
    ['name.givenName co "a"', { wildcard: { firstName: "*a*" } }],
    ['name.familyName ew "a"', { wildcard: { lastName: "*a" } }],
    ['name.familyName ne "a"', { bool: { must_not: [{ term: { lastName: "a" } }] } }],
    ["name.familyName eq null", { bool: { must_not: [{ wildcard: { lastName: "*" } }] } }],
    ["active eq true", { term: { active: true } }],
    [`id eq "${id}"`, { term: { id } }],
    [`id eq "${id.toUpperCase()}"`, nobody],
    [`groups.value eq "${id.toUpperCase()}"`, { term: { "memberships.groupId": id } }],
    [`groups[value eq "${id}"]`, { term: { "memberships.groupId": id } }],
    ['groups eq "x"', nobody],
    ["userName pr", undefined],
    ["not (userName pr)", nobody],
    ['active eq true and not (name.givenName eq "a")', { bool: { must: [{ term: { active: true } }, expect.anything()] } }],
    ["active eq true or id pr", undefined],
  ])("%s", (text, query) => {
    expect(compile(text)).toEqual({ query, isExact: true });
  });
});

describe("filters of users that find others too", () => {
  const urn = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
  test.each([
    ['externalId eq "E-1"', { term: { "data.scim.externalId": "E-1" } }],
    ['title eq "boy"', { terms: { "data.scim.title": ["boy"] } }],
    ['title eq "Ski"', { terms: { "data.scim.title": ["Ski", "S\u212ai", "\u017fki", "\u017f\u212ai"] } }],
    ['title eq "Bär"', { bool: { should: [{ prefix: { "data.scim.title": "B" } }] } }],
    [`${urn}:department eq "Tool"`, { terms: { "data.scim.enterprise.department": ["Tool"] } }],
    ['name.formatted sw "a"', { wildcard: { fullName: "a*" } }],
    ['active eq true and emails co "x"', { term: { active: true } }],
  ])("%s", (text, query) => {
    expect(compile(text)).toEqual({ query, isExact: false });
  });
});

describe("filters of users that the storage does not know", () => {
  test.each([
    'emails eq "a@x.example"',
    'phoneNumbers eq "1"',
    'name.middleName eq "a"',
    'displayName eq "a"',
    'title sw "a"',
    `title eq "${"x".repeat(101)}"`,
    'title eq "är"',
    'userName sw "a*"',
    'userName eq " a"',
    'userName eq "\\u0000"',
    'userName eq ""',
    'userName gt "a"',
    'name.formatted ne "a"',
    `groups ne "${id}"`,
    'active eq true or title sw "a"',
    'not (externalId eq "a")',
    "title pr",
  ])("%s", (text) => {
    expect(compile(text)).toEqual({ query: undefined, isExact: false });
  });

  test("members of data that are not declared", () => {
    expect(compile('externalId eq "E-1"', new Set())).toEqual({ query: undefined, isExact: false });
  });
});

test("a query is within the limits of the API, or there is none", () => {
  const known = withMembers({ ...queryFields, fields: { ...queryFields.fields, username: { kind: "text", column: "x" } } });
  const many = (count: number) => compile(Array.from({ length: count }, (_, index) => `userName eq "u${index}"`).join(" or "));
  const deep = (count: number) => compile(`${"not (active eq true and (".repeat(count)}active eq false${"))".repeat(count)}`);
  for (const { query } of [many(10), deep(5)]) {
    expect(query).toBeDefined();
    expect(() => parseQueryDocument(known, query)).not.toThrow();
  }
  for (const compiled of [many(60), deep(12)]) expect(compiled).toEqual({ query: undefined, isExact: false });
});

describe("filters of groups", () => {
  test.each([
    ['displayName eq "Crew"', { criteria: { name: "Crew*" }, isExact: false }],
    ['displayName eq "C*"', { criteria: { name: "C*" }, isExact: false }],
    ['displayName sw "C"', { criteria: { name: "C*" }, isExact: true }],
    ['displayName co "C"', { criteria: { name: "*C*" }, isExact: true }],
    ['displayName ew "C"', { criteria: { name: "*C" }, isExact: true }],
    ['displayName sw "C*"', { criteria: undefined, isExact: false }],
    ["displayName pr", { criteria: undefined, isExact: true }],
    ['externalId eq "e"', { criteria: { "data.scim.externalId": "e" }, isExact: false }],
    ['externalId eq "e*"', { criteria: undefined, isExact: false }],
    [`members.value eq "${id}"`, { criteria: undefined, memberId: id, isExact: true }],
    [`members[value eq "${id}"]`, { criteria: undefined, memberId: id, isExact: true }],
    ['members eq "x"', { criteria: undefined, memberId: "x", isExact: false }],
    [`displayName co "a" and members eq "${id}"`, { criteria: { name: "*a*" }, memberId: id, isExact: true }],
    ['displayName co "a" and displayName co "b"', { criteria: { name: "*a*" }, isExact: false }],
    ['displayName co "a" or displayName co "b"', { criteria: undefined, isExact: false }],
    ['not (displayName co "a")', { criteria: undefined, isExact: false }],
  ])("%s", (text, compiled) => {
    expect(compileGroup(text)).toEqual(compiled);
  });
});

test("the API orders by what every resource has", () => {
  expect(["ID", "meta.created", "userName", "name.familyName", "nothing"].map((name) => compileSort(userType, name))).toEqual([
    "id",
    "insertInstant",
    undefined,
    undefined,
    undefined,
  ]);
  expect(["displayName", "meta.created", "externalId"].map((name) => compileSort(groupType, name))).toEqual([
    "name",
    "insertInstant",
    undefined,
  ]);
});
