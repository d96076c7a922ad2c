import { describe, expect, test } from "vitest";
import { findUnsafeValue, isSafeText, maxJsonDepth, type UnsafeValue } from "../../src/shared/find-unsafe-value.js";
import { anyCharacter, fc } from "../support/properties.js";

const nest = (levels: number, wrap: (value: unknown) => unknown, innermost: unknown = 1): unknown => {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
};
const inList = (value: unknown): unknown => [value];
const inObject = (value: unknown): unknown => ({ a: value });

describe("finds", () => {
  test.each<[string, unknown, UnsafeValue]>([
    ["U+0000", "a\0b", { kind: "forbiddenText", path: [] }],
    ["a lone surrogate", { a: ["x", "\ud800"] }, { kind: "forbiddenText", path: ["a", 1] }],
    ["surrogates in the wrong order", "\udc00\ud800", { kind: "forbiddenText", path: [] }],
    ["a forbidden text for a name", { a: { "b\0": 1 } }, { kind: "forbiddenText", path: ["a"] }],
    [
      "a name that pollutes prototypes",
      JSON.parse('{"a":[{"__proto__":{}}]}'),
      { kind: "forbiddenKey", path: ["a", 0, "__proto__"] },
    ],
    ["a number without end", { a: Number.POSITIVE_INFINITY }, { kind: "notFinite", path: ["a"] }],
    ["no number", [1, Number.NaN], { kind: "notFinite", path: [1] }],
    ["lists too deep", nest(maxJsonDepth + 1, inList), { kind: "tooDeep", path: Array.from({ length: maxJsonDepth }, () => 0) }],
    [
      "objects too deep",
      nest(maxJsonDepth + 1, inObject),
      { kind: "tooDeep", path: Array.from({ length: maxJsonDepth }, () => "a") },
    ],
    [
      "an empty list too deep",
      nest(maxJsonDepth, inList, []),
      { kind: "tooDeep", path: Array.from({ length: maxJsonDepth }, () => 0) },
    ],
    ["the first of several", { a: 1, b: "\0", c: Number.NaN }, { kind: "forbiddenText", path: ["b"] }],
  ])("%s", (_, value, found) => {
    expect(findUnsafeValue(value)).toEqual(found);
  });

  test("the depth of what is nested far too deep, without running out of stack", () => {
    expect(findUnsafeValue(nest(200_000, inList))).toMatchObject({ kind: "tooDeep" });
    expect(findUnsafeValue(JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`))).toMatchObject({ kind: "tooDeep" });
  });
});

describe("lets pass", () => {
  test.each<[string, unknown]>([
    ["plain values", [null, true, false, 0, -1.5, "", undefined]],
    ["the deepest list that is allowed", nest(maxJsonDepth, inList)],
    ["the deepest object that is allowed", nest(maxJsonDepth, inObject)],
    ["astral characters and those next to surrogates", "\u{1f600}\ud7ff\ue000\uffff"],
    ["control characters", "\u0001\u001f\u007f"],
    ["inherited names", { constructor: { prototype: 1 }, toString: 1, hasOwnProperty: 2 }],
  ])("%s", (_, value) => {
    expect(findUnsafeValue(value)).toBeUndefined();
  });
});

test("accepts a text exactly when UTF-8 can encode it and it has no U+0000", () => {
  const unit = fc.constantFrom("a", "\0", "\ud800", "\udbff", "\udc00", "\udfff", "\ue000", "\u{1f600}");
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 4 }), (units) => {
      const text = units.join("");
      const isWhole = Buffer.from(text).toString() === text;
      expect(isSafeText(text)).toBe(isWhole && !text.includes("\0"));
    }),
  );
});

test("finds nothing in any JSON that holds nothing unsafe, wherever it is", () => {
  const isSafe = (value: unknown): boolean => {
    if (typeof value === "string") return isSafeText(value);
    if (typeof value !== "object" || value === null) return true;
    return Object.entries(value).every(([name, member]) => name !== "__proto__" && isSafeText(name) && isSafe(member));
  };
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter, maxDepth: 5 }), (value) => {
      expect(findUnsafeValue(value) === undefined).toBe(isSafe(value));
    }),
  );
});
