// Our parser against scim2-parse-filter, without what that library reads otherwise: docs/internals/libraries.md names it.
import { type Filter as LibraryFilter, parse } from "scim2-parse-filter";
import { expect, test } from "vitest";
import type { Filter } from "../../../adapters/scim/filter/filter.js";
import { parseFilter } from "../../../adapters/scim/filter/parse-filter.js";
import { resolvePath } from "../../../adapters/scim/schema/resolve-path.js";
import { userType } from "../../../adapters/scim/schema/schemas.js";
import { fc } from "../../support/properties.js";
import { filter } from "./random-filters.js";

// The library keeps names as they are written, and joins what parentheses part.
type Tree = readonly [kind: string, ...parts: readonly unknown[]];

const toPath = (text: string, isComplex: boolean): string => {
  const path = resolvePath(userType, text);
  const isWhole = path?.sub === undefined && path?.attribute.type === "complex" && isComplex;
  return `${path?.text}${isWhole ? ".value" : ""}`;
};

function ofLibrary(filter: LibraryFilter, list = ""): Tree {
  if ("filters" in filter) return [filter.op, ...filter.filters.map((part) => ofLibrary(part, list))];
  if ("valFilter" in filter) return ["value", toPath(filter.attrPath, false), ofLibrary(filter.valFilter, `${filter.attrPath}.`)];
  if ("filter" in filter) return ["not", ofLibrary(filter.filter, list)];
  const path = toPath(list + filter.attrPath, "compValue" in filter);
  return "compValue" in filter ? [filter.op, path, toValue(path, filter.compValue)] : [filter.op, path];
}

// Entra writes booleans as texts, which our parser converts.
const toValue = (path: string, value: unknown): unknown => (path === "active" ? String(value).toLowerCase() === "true" : value);

function ofOurs(filter: Filter, list = ""): Tree {
  switch (filter.kind) {
    case "and":
    case "or":
      return [filter.kind, ...filter.filters.map((part) => ofOurs(part, list))];
    case "not":
      return ["not", ofOurs(filter.filter, list)];
    case "value":
      return ["value", filter.path.text, ofOurs(filter.filter, `${filter.path.text}.`)];
    case "present":
      return ["pr", list + filter.path.text];
    case "compare":
      return [filter.operator, list + filter.path.text, filter.value];
  }
}

// It reads JSON only: no other case of true, false and null, and no escapes but those of quotation marks. A part behind brackets it takes for
// a condition on any value.
const isReadAlike = (text: string): boolean => !/\\(?!")|\$ref|\]\.|\b(?:False|NULL)\b/.test(text);

test("both parsers give the same tree for random filters", () => {
  const check = (text: string) => {
    expect(ofOurs(parseFilter(userType, text))).toEqual(ofLibrary(parse(text)));
  };
  const texts = filter.map(({ text }) => text).filter(isReadAlike);
  fc.assert(fc.property(texts, check), { numRuns: 1000 });
});

test("the library reads some filters otherwise, so it cannot take the place of our parser", () => {
  expect(() => parse('addresses[$ref eq "x"]')).toThrow();
  expect(parse('title eq "\\u00e9"')).toMatchObject({ compValue: "\\u00e9" });
  expect(parse('emails[type eq "work"].value eq "x"')).toMatchObject({ op: "and" });
});
