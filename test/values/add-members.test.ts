import { describe, expect, test } from "vitest";
import { addMembers, CanonicalText, toCanonicalJson } from "../../src/json/canonical-json.js";
import { anyCharacter, cases, fc } from "../support/properties.js";

describe("members added to a canonical text", () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    ["none to an empty object", "{}", {}, "{}"],
    ["the first of an empty object", "{}", { a: 1 }, '{"a":1}'],
    ["before, between and after", '{"b":1,"d":2}', { a: 0, c: [], e: {} }, '{"a":0,"b":1,"c":[],"d":2,"e":{}}'],
    ["in place of others", '{"a":{"b":"}"},"b":[1,2],"c":"\\\\"}', { a: 1, b: 2, c: 3 }, '{"a":1,"b":2,"c":3}'],
    ["the only one, removed", '{"a":1}', { a: undefined }, "{}"],
    ["some removed", '{"a":1,"b":2,"c":3}', { a: null, c: undefined }, '{"b":2}'],
    ["removed that is not there", '{"b":2}', { a: undefined, c: undefined }, '{"b":2}'],
    ["a name inside of a value", '{"a":{"b":1}}', { b: 2 }, '{"a":{"b":1},"b":2}'],
    ["a name with a quote", '{"a\\"b":1,"c":2}', { 'a"b': 3 }, '{"a\\"b":3,"c":2}'],
    ["a text that is canonical", '{"a":1}', { b: new CanonicalText("[1]") }, '{"a":1,"b":[1]}'],
  ])("%s", (_, json, members, expected) => {
    expect(addMembers(json, members)).toBe(expected);
  });

  test("equal those of the whole object written again", () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 5 });
    const name = fc.oneof(text, fc.constantFrom("a", "b", 'a"', "a\\", "aa", "ä", "1", "__proto__"));
    const object = fc.dictionary(name, fc.jsonValue({ stringUnit: anyCharacter }), { noNullPrototype: true });
    fc.assert(
      fc.property(object, object, fc.array(name), (own, added, removed) => {
        const members = { ...added, ...Object.fromEntries(removed.map((one) => [one, undefined])) };
        // Not from the parsed text: once the engine has parsed the name `a\`, it takes `a"` at the same place for it.
        expect(addMembers(toCanonicalJson(own), members)).toBe(toCanonicalJson({ ...own, ...members }));
      }),
      cases(5_000),
    );
  });
});
