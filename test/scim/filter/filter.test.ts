import { describe, expect, test } from "vitest";
import { matches } from "../../../adapters/scim/filter/match.js";
import { parseFilter } from "../../../adapters/scim/filter/parse-filter.js";
import type { ScimError } from "../../../adapters/scim/schema/errors.js";
import { groupType, userType } from "../../../adapters/scim/schema/schemas.js";
import { fc } from "../../support/properties.js";
import { filter, type RandomFilter, user } from "./random-filters.js";

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

const ann = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  id: "1",
  externalId: "Ext-1",
  userName: "Ann@Example.com",
  name: { familyName: "Other", givenName: "Ann" },
  active: true,
  title: "",
  emails: [
    { value: "ann@example.com", type: "work", primary: true },
    { value: "ann@home.example", type: "home" },
  ],
  meta: { created: "2026-01-31T08:00:00Z", lastModified: "2026-02-01T08:00:00.5Z" },
  [enterprise]: { department: "Ships", manager: { value: "7" } },
};

const isAnn = (text: string): boolean => matches(parseFilter(userType, text), ann);

test("random filters match the random users that their predicates accept", () => {
  const check = ({ text, test }: RandomFilter, users: readonly Readonly<Record<string, unknown>>[]) => {
    const parsed = parseFilter(userType, text);
    for (const user of users) expect([text, user, matches(parsed, user)]).toEqual([text, user, test(user)]);
  };
  fc.assert(fc.property(filter, fc.array(user, { minLength: 1, maxLength: 5 }), check), { numRuns: 3000 });
});

describe("filters that directories and the RFC use", () => {
  test.each([
    'userName eq "ann@example.com"',
    'USERNAME EQ "ANN@EXAMPLE.COM"',
    "ActiVe eq true",
    'active eq "True"',
    'externalId eq "Ext-1"',
    'name.FamilyName co "oth" and (emails.Value co "@home" or title pr)',
    'emails co "example.com"',
    'emails[type eq "work" and value co "@example.com"]',
    'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp"]',
    'not (emails[type eq "work" and value co "@home"])',
    'emails[type eq "work"].value eq "ann@example.com"',
    'Emails[Type eq "work" or type eq "other"].Value SW "ann" and userName pr',
    'not (emails[type eq "work"].value co "@home") and emails[primary eq true].type pr',
    'emails[type eq "home"].value ne "ann@example.com" or title pr',
    'meta.lastModified gt "2026-02-01T09:00:00+01:00"',
    'meta.created eq "2026-01-31T08:00:00.0000000Z"',
    'schemas eq "urn:ietf:params:scim:schemas:core:2.0:User"',
    `${enterprise}:manager eq "7"`,
    'department sw "sh"',
    'userName ne "bob" and id pr',
    'emails.type ne "work"',
    'nickName ne "x"',
    "nickName eq null",
    'userName pr or userName eq "b" and userName eq "c"',
  ])("%s", (text) => {
    expect(isAnn(text)).toBe(true);
  });

  test.each([
    'externalId eq "ext-1"',
    "title pr",
    'emails[type eq "work" and value co "@home"]',
    'emails[type eq "work"].value co "@home"',
    'emails[type eq "other"].value pr',
    'emails[type eq "home" or type eq "work" and primary eq false].value eq "ann@example.com"',
    '(userName pr or userName eq "b") and userName eq "c"',
    'userName eq "ann\\\\u0040example.com"',
    "not (userName pr)",
    "nickName ne null",
    'nickName eq ""',
    `${enterprise}:costCenter pr`,
  ])("not %s", (text) => {
    expect(isAnn(text)).toBe(false);
  });

  test("escapes are those of JSON", () => {
    const filter = (text: string) => matches(parseFilter(userType, text), { userName: 'a\\b"cé' });
    expect(filter('userName eq "a\\\\b\\"c\\u00e9"')).toBe(true);
    expect(filter('userName co "\\\\"')).toBe(true);
    expect(filter('userName ew "\\\\"')).toBe(false);
  });

  test("groups have filters of their own", () => {
    const group = { displayName: "Crew", members: [{ value: "1" }, { value: "2" }] };
    expect(matches(parseFilter(groupType, 'members.value eq "2" and displayName sw "cr"'), group)).toBe(true);
    expect(matches(parseFilter(groupType, 'members[value eq "3"]'), group)).toBe(false);
  });

  test("a value of another type than the attribute's matches `ne` only", () => {
    expect(matches(parseFilter(userType, 'userName eq "1"'), { userName: 1 })).toBe(false);
    expect(matches(parseFilter(userType, 'userName ne "1"'), { userName: 1 })).toBe(true);
    expect(matches(parseFilter(userType, 'meta.created le "2026-01-31T08:00:00Z"'), { meta: { created: "soon" } })).toBe(false);
  });
});

function refusal(text: unknown): readonly unknown[] {
  try {
    parseFilter(userType, text);
  } catch (error) {
    const { status, scimType, detail } = error as ScimError;
    return [status, scimType, typeof detail];
  }
  return [];
}

describe("refusals are 400 invalidFilter", () => {
  test.each([
    ["no filter", ""],
    ["an unknown attribute", 'nick eq "a"'],
    ["an unknown part", 'name.first eq "a"'],
    ["a part of a part", 'name.familyName.x eq "a"'],
    ["an unknown operator", 'userName is "a"'],
    ["an inherited name as operator", 'userName constructor "a"'],
    ["an inherited name between filters", "userName pr constructor active pr"],
    ["an inherited name as attribute", "__proto__ pr"],
    ["a text without quotation marks", "userName eq bob"],
    ["a number for a text", "userName eq 5"],
    ["a text for a boolean", 'active eq "yes"'],
    ["an order of booleans", "active gt true"],
    ["a part of a boolean", "active co true"],
    ["a part of a date", 'meta.created co "2026"'],
    ["no date", 'meta.created gt "yesterday"'],
    ["an order of null", "userName gt null"],
    ["a complex attribute", 'name eq "a"'],
    ["the password", 'password eq "a"'],
    ["whether there is a password", "password pr"],
    ["no value", "userName eq"],
    ["no operator", "userName"],
    ["an open parenthesis", '(userName eq "a"'],
    ["an open bracket", 'emails[type eq "a"'],
    ["a closed parenthesis too many", 'userName eq "a")'],
    ["an open quotation mark", 'userName eq "a'],
    ["a wrong escape", 'userName eq "\\q"'],
    ["brackets behind a single value", 'userName[value eq "a"]'],
    ["brackets in brackets", 'emails[emails[type eq "a"]]'],
    ["an attribute of the resource in brackets", 'emails[userName eq "a"]'],
    ["something behind brackets", 'emails[type eq "a"]value eq "b"'],
    ["an unknown part behind brackets", 'emails[type eq "a"].verified eq "b"'],
    ["a part of a part behind brackets", 'emails[type eq "a"].value.x eq "b"'],
    ["a part behind brackets without operator", 'emails[type eq "a"].value'],
    ["a part behind brackets with the operator of another type", 'emails[type eq "a"].primary gt true'],
    ["a part behind brackets in brackets", 'emails[emails[type eq "a"].value eq "b"]'],
    ["not without parentheses", "not userName pr"],
    ["and without a filter", "userName pr and"],
    ["two filters", "userName pr active pr"],
    ["no text", { eq: 1 }],
  ])("%s", (_, text) => {
    expect(refusal(text)).toEqual([400, "invalidFilter", "string"]);
  });
});

describe("hostile filters end at once", () => {
  test.each([
    ["20,000 parentheses", "(".repeat(20_000)],
    ["as many parentheses as fit", `${"(".repeat(4000)}userName pr`],
    ["33 parentheses", `${"(".repeat(33)}userName pr${")".repeat(33)}`],
    ["not, nested", `${"not (".repeat(600)}userName pr`],
    ["1 MB", `userName eq "${"a".repeat(1_000_000)}"`],
    ["1 MB of quotation marks", '"'.repeat(1_000_000)],
    ["backslashes", `userName eq "${"\\".repeat(4001)}`],
    ["white space", " ".repeat(4096)],
  ])("%s", (_, text) => {
    const start = performance.now();
    expect(refusal(text)).toEqual([400, "invalidFilter", "string"]);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test("the error shows a part of the filter only", () => {
    expect(() => parseFilter(userType, `${"a".repeat(4000)} pr`)).toThrow(/^The filter names the unknown attribute "a{79}…"\.$/);
  });

  test("32 parentheses and 250 terms are read", () => {
    expect(isAnn(`${"(".repeat(32)}userName pr${")".repeat(32)}`)).toBe(true);
    expect(isAnn(Array.from({ length: 250 }, () => "userName pr").join(" and "))).toBe(true);
  });

  test("any text is a filter or refused", () => {
    const pieces = fc.constantFrom(
      "userName",
      " ",
      "eq",
      "(",
      ")",
      "[",
      "]",
      '"',
      "\\",
      "and",
      "not",
      "emails",
      ".value",
      "null",
      "pr",
      "5",
      "urn:",
      "ü",
    );
    const check = (parts: readonly string[]) => {
      const found = refusal(parts.join(""));
      expect([[], [400, "invalidFilter", "string"]]).toContainEqual(found);
    };
    fc.assert(fc.property(fc.array(pieces, { maxLength: 12 }), check), { numRuns: 3000 });
  });
});
