import { describe, expect, test } from "vitest";
import { CanonicalText, toCanonicalJson, toListText } from "../../src/json/canonical-json.js";
import { anyCharacter, cases, fc } from "../support/properties.js";

describe("canonical JSON", () => {
  test.each<[string, unknown, string]>([
    ["a text", 'a"\n\u2028', '"a\\"\\n\u2028"'],
    ["a number", 1.5, "1.5"],
    ["a flag", false, "false"],
    ["null", null, "null"],
    ["undefined", undefined, "null"],
    ["a number that JSON does not have", Number.NaN, "null"],
    ["an empty list", [], "[]"],
    ["an empty object", {}, "{}"],
    ["members in order", { b: 1, a: 2, B: 3, "": 4 }, '{"":4,"B":3,"a":2,"b":1}'],
    ["numbers as names in the order of texts", { 10: 1, 9: 2, a: 3 }, '{"10":1,"9":2,"a":3}'],
    ["no members without a value", { a: null, b: undefined, c: false, d: "", e: 0 }, '{"c":false,"d":"","e":0}'],
    ["members without a value deep inside", [{ a: [{ b: null, c: {} }] }], '[{"a":[{"c":{}}]}]'],
    ["nothing in a list", [null, undefined, 1], "[null,null,1]"],
    ["own names alone", Object.create({ inherited: 1 }), "{}"],
    [
      "a name of the prototype among members out of order",
      JSON.parse('{"b":1,"__proto__":{"x":1},"a":2}'),
      '{"__proto__":{"x":1},"a":2,"b":1}',
    ],
    ["a name that is inherited elsewhere", JSON.parse('{"__proto__":1,"constructor":2}'), '{"__proto__":1,"constructor":2}'],
  ])("writes %s", (_, value, text) => {
    expect(toCanonicalJson(value)).toBe(text);
  });

  const withoutNulls = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withoutNulls);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).filter(([, member]) => member !== null);
    return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
  };
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).reverse();
    return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
  };

  test("preserves the value, for any order of its members", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
        const text = toCanonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(withoutNulls(value))));
        expect(toCanonicalJson(reversed(value))).toBe(text);
        expect(toCanonicalJson(JSON.parse(text))).toBe(text);
      }),
      cases(2_000),
    );
  });

  test("splices texts that are canonical already, wherever they stand", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), (list, value) => {
        const [texts, text] = [list.map(toCanonicalJson), toCanonicalJson(value)];
        const spliced = { z: 1, list: toListText(texts), deep: [{ b: new CanonicalText(text), a: 2 }] };
        expect(toCanonicalJson(spliced)).toBe(`{"deep":[{"a":2,"b":${text}}],"list":[${texts.join(",")}],"z":1}`);
      }),
    );
    expect(toCanonicalJson(new CanonicalText("[]"))).toBe("[]");
  });
});
