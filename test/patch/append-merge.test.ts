import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json/json-value.js";
import { applyAppendMerge } from "../../src/json/merge-patch.js";
import { nest, patchErrorOf } from "./support.js";

/** docs/reference/patch.md#merging-with-applicationjson: the row, what is stored, what is sent, what is kept. */
const table: readonly (readonly [string, JsonObject, JsonObject, JsonObject])[] = [
  ["an absent member is unchanged", { a: 1, b: { c: 2 } }, { a: 3 }, { a: 3, b: { c: 2 } }],
  ["a scalar replaces a scalar", { a: 1, b: true }, { a: "x", b: false }, { a: "x", b: false }],
  ["objects merge key by key", { g: { a: 1, data: { x: 1 } } }, { g: { data: { y: 2 } } }, { g: { a: 1, data: { x: 1, y: 2 } } }],
  ["arrays append and keep duplicates", { a: ["bar"] }, { a: ["bar", "baz"] }, { a: ["bar", "bar", "baz"] }],
  ["elements append whole", { a: [{ x: 1 }] }, { a: [{ x: 1, y: null }] }, { a: [{ x: 1 }, { x: 1, y: null }] }],
  ["null removes", { a: 1, b: [1], c: { d: 1 } }, { a: null, b: null, c: null }, {}],
  ["null inside a map removes the key", { data: { x: 1, y: 2 } }, { data: { x: null } }, { data: { y: 2 } }],
  ["null for what is not there is nothing", { a: 1 }, { b: null, c: { d: null } }, { a: 1, c: {} }],
  ["{} changes no object", { data: { x: 1 } }, { data: {} }, { data: { x: 1 } }],
  ["{} changes no document", { data: { x: 1 } }, {}, { data: { x: 1 } }],
  ["[] changes no array", { a: [1, 1] }, { a: [] }, { a: [1, 1] }],
  ["an array replaces a scalar or an object", { a: 1, b: { c: 1 } }, { a: [2], b: [3] }, { a: [2], b: [3] }],
  ["an object replaces a scalar or an array", { a: 1, b: [1] }, { a: { c: 2 }, b: { d: 3 } }, { a: { c: 2 }, b: { d: 3 } }],
  ["a scalar replaces an object or an array", { a: { c: 2 }, b: [1] }, { a: 1, b: "x" }, { a: 1, b: "x" }],
];

describe("append merge", () => {
  test.each(table)("%s", (_row, document, patch, expected) => {
    expect(applyAppendMerge(document, patch)).toEqual(expected);
  });

  test("keeps one of each where a list is a set, and only there", () => {
    const sets = { sets: new Set(["webhook.tenantIds", "roleIds"]) };
    const document = { webhook: { tenantIds: ["a", "b"], list: ["a"] }, roleIds: ["r"], tenantIds: ["a"] };
    const patch = { webhook: { tenantIds: ["b", "c", "c"], list: ["a"] }, roleIds: ["r", "s"], tenantIds: ["a"] };
    expect(applyAppendMerge(document, patch, sets)).toEqual({
      webhook: { tenantIds: ["a", "b", "c"], list: ["a", "a"] },
      roleIds: ["r", "s"],
      tenantIds: ["a", "a"],
    });
    expect(applyAppendMerge({}, { roleIds: ["r", "r"] }, sets)).toEqual({ roleIds: ["r"] });
    expect(applyAppendMerge({ roleIds: ["r"] }, { roleIds: [] }, sets)).toEqual({ roleIds: ["r"] });
    expect(applyAppendMerge({}, { "webhook.tenantIds": ["a", "a"] }, sets)).toEqual({ "webhook.tenantIds": ["a", "a"] });
  });

  test("replaces a list where that is asked for, and only there", () => {
    const replaced = new Set(["a.ids"]);
    const document = { a: { ids: ["x", "y"], list: ["x"] }, ids: ["x"] };
    const patch = { a: { ids: ["z", "z"], list: ["z"] }, ids: ["z"] };
    const expected = { a: { ids: ["z", "z"], list: ["x", "z"] }, ids: ["x", "z"] };
    expect(applyAppendMerge(document, patch, { replaced })).toEqual(expected);
    expect(applyAppendMerge(document, { a: { ids: [] } }, { replaced }).a).toEqual({ ids: [], list: ["x"] });
    const both = applyAppendMerge(document, patch, { replaced, sets: replaced });
    expect(both).toEqual({ ...expected, a: { ids: ["z"], list: ["x", "z"] } });
    expect(applyAppendMerge(document, { a: { list: ["y"] } }, { replaced }).a).toEqual({ ids: ["x", "y"], list: ["x", "y"] });
  });

  test.each(["constructor", "prototype", "toString", "hasOwnProperty"])("keeps a member named %s and all after it", (key) => {
    const patch = JSON.parse(`{"${key}":["x"],"name":"new","data":{"${key}":{"a":1}}}`);
    const once = applyAppendMerge({ name: "old" }, patch);
    expect(JSON.stringify(once)).toBe(`{"name":"new","${key}":["x"],"data":{"${key}":{"a":1}}}`);
    expect(JSON.stringify(applyAppendMerge(once, patch))).toBe(`{"name":"new","${key}":["x","x"],"data":{"${key}":{"a":1}}}`);
  });

  test.each([null, 1, "x", true, [], [{}], undefined, new Date()])("refuses a patch that is no object: %s", (patch) => {
    expect(patchErrorOf(() => applyAppendMerge({}, patch)).reason).toBe("invalid");
  });

  test("refuses the key __proto__ and names its path", () => {
    const error = patchErrorOf(() => applyAppendMerge({}, JSON.parse('{"group":{"data":{"__proto__":{}}}}')));
    expect(error).toMatchObject({ reason: "forbiddenKey", path: "group.data.__proto__" });
    expect(patchErrorOf(() => applyAppendMerge({}, JSON.parse('{"a":[{"__proto__":{}}]}'))).path).toBe("a[0].__proto__");
  });

  test("refuses what nests over 64 levels", () => {
    expect(patchErrorOf(() => applyAppendMerge({}, nest(65))).reason).toBe("invalid");
    expect(patchErrorOf(() => applyAppendMerge({}, { a: [nest(60_000)] })).reason).toBe("invalid");
    expect(applyAppendMerge({}, nest(64))).toEqual(nest(64));
  });
});
