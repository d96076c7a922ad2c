import library from "json-merge-patch";
import { describe, expect, test, vi } from "vitest";
import type { JsonValue } from "../../src/json/json-value.js";
import { applyMergePatch } from "../../src/json/merge-patch.js";
import { freezeDeeply, nest, patchErrorOf } from "./support.js";

/** RFC 7396 appendix A: original, patch, result. */
const appendixA: readonly (readonly [string, string, string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', "null", "null"],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

const merge = (document: string, patch: string): JsonValue => applyMergePatch(JSON.parse(document), JSON.parse(patch));

/** The same by our own walk, which a stored member with a name that the library fails on calls for. */
const mergeByOwnWalk = (document: string, patch: string): JsonValue => {
  const result = applyMergePatch({ value: JSON.parse(document), hasOwnProperty: 1 }, { value: JSON.parse(patch) });
  return (result as { value?: JsonValue }).value ?? null;
};

describe("merge patch", () => {
  test.each(appendixA)("RFC 7396 appendix A: %s with %s is %s", (document, patch, expected) => {
    expect(merge(document, patch)).toEqual(JSON.parse(expected));
    expect(mergeByOwnWalk(document, patch)).toEqual(JSON.parse(expected));
  });

  test.each([
    ["the library", '{"a":{"b":1}}', '{"a":{"c":[1]}}', true],
    ["our own walk for a patch that names constructor", "{}", '{"a":{"constructor":1}}', false],
    ["our own walk for a patch that names prototype", "{}", '{"prototype":null}', false],
    ["our own walk for a patch that names toString", "{}", '{"toString":1}', false],
    ["our own walk where the patch reaches a stored hasOwnProperty", '{"a":{"hasOwnProperty":1}}', '{"a":{"b":null}}', false],
    ["the library where it does not", '{"a":{"hasOwnProperty":1}}', '{"b":1}', true],
  ])("is applied by %s", (_way, document, patch, isLibrary) => {
    const apply = vi.spyOn(library, "apply");
    try {
      merge(document, patch);
      expect(apply).toHaveBeenCalledTimes(isLibrary ? 1 : 0);
    } finally {
      apply.mockRestore();
    }
  });

  test.each(["constructor", "prototype", "toString", "hasOwnProperty", "valueOf"])(
    "keeps a member named %s and all after it",
    (key) => {
      const text = `{"${key}":"x","name":"new","deep":{"${key}":{"a":1},"b":2}}`;
      expect(JSON.stringify(merge('{"name":"old"}', text))).toBe(`{"name":"new","${key}":"x","deep":{"${key}":{"a":1},"b":2}}`);
      expect(merge(text, `{"${key}":null,"deep":{"${key}":{"a":null}}}`)).toEqual(
        JSON.parse(`{"name":"new","deep":{"${key}":{},"b":2}}`),
      );
    },
  );

  test("merges into a stored object that has no prototype", () => {
    const document = Object.assign(Object.create(null), { a: 1, hasOwnProperty: 2 });
    expect(applyMergePatch(document, { b: { toString: 3 } })).toEqual({ a: 1, hasOwnProperty: 2, b: { toString: 3 } });
  });

  test("does not take an inherited name for a stored object", () => {
    expect(JSON.stringify(merge("{}", '{"constructor":{"a":1}}'))).toBe('{"constructor":{"a":1}}');
  });

  test.each([
    ['{"__proto__":{"polluted":1}}', "__proto__"],
    ['{"a":{"__proto__":1}}', "a.__proto__"],
    ['{"a":[{"__proto__":null}]}', "a[0].__proto__"],
  ])("refuses the key __proto__ in %s", (patch, path) => {
    expect(patchErrorOf(() => merge('{"a":{}}', patch))).toMatchObject({ reason: "forbiddenKey", path });
  });

  test("refuses what nests over 64 levels, and takes 64", () => {
    expect(patchErrorOf(() => applyMergePatch({}, nest(65))).reason).toBe("invalid");
    expect(patchErrorOf(() => applyMergePatch({}, { a: nest(60_000) })).reason).toBe("invalid");
    expect(patchErrorOf(() => applyMergePatch({}, JSON.parse(`{"a":${"[".repeat(60_000)}${"]".repeat(60_000)}}`))).reason).toBe(
      "invalid",
    );
    expect(applyMergePatch({}, nest(64))).toEqual(nest(64));
  });

  test("leaves out undefined members and refuses what JSON cannot hold", () => {
    expect(applyMergePatch({ a: 1 }, { a: undefined, b: [{ c: undefined }] })).toEqual({ a: 1, b: [{}] });
    for (const value of [new Date(), new Map(), () => 1, 1n, Number.NaN, Symbol("s"), [undefined]]) {
      expect(patchErrorOf(() => applyMergePatch({}, { value })).reason).toBe("invalid");
    }
  });

  test("shares nothing with the patch", () => {
    const patch = { list: [{ a: 1 }], object: { b: [1] } };
    const result = applyMergePatch({}, patch) as typeof patch;
    expect(result).toEqual(patch);
    expect(result.list).not.toBe(patch.list);
    expect(result.list[0]).not.toBe(patch.list[0]);
    expect(result.object).not.toBe(patch.object);
    expect(result.object.b).not.toBe(patch.object.b);
  });

  test("changes no stored object, and shares those that the patch does not reach", () => {
    const document = freezeDeeply({ a: { b: { c: 1 }, d: { e: 1 } }, f: { g: [1] } });
    const result = applyMergePatch(document, { a: { b: { c: null, h: 2 } } }) as typeof document;
    expect(result).toEqual({ a: { b: { h: 2 }, d: { e: 1 } }, f: { g: [1] } });
    expect(result.a.d).toBe(document.a.d);
    expect(result.f).toBe(document.f);
  });

  test("replaces what is stored and no JSON", () => {
    const stored = new Date(0);
    expect(applyMergePatch({ a: stored as never }, { a: { b: 1 } })).toEqual({ a: { b: 1 } });
    expect(Object.keys(stored)).toEqual([]);
  });
});
