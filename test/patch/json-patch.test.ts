import jsonpatch from "fast-json-patch";
import { describe, expect, test } from "vitest";
import { applyJsonPatch } from "../../src/json/json-patch.js";
import type { JsonValue } from "../../src/json/json-value.js";
import { cpuTime } from "../support/cpu-time.js";
import { nest, patchErrorOf, snapshotPrototypes } from "./support.js";

const fresh = (): JsonValue => ({ a: { b: [1, 2], c: "x" }, list: ["p", "q"], n: null });
const refused = (...patch: unknown[]): string => patchErrorOf(() => applyJsonPatch(fresh(), patch)).reason;
const pointerTo = (levels: number): string => "/a".repeat(levels);

describe("JSON Patch: what the library alone gets wrong", () => {
  test.each([
    ["replace of a missing key", { op: "replace", path: "/missing", value: 1 }],
    ["replace beyond an array", { op: "replace", path: "/list/5", value: 1 }],
    ["replace just after an array", { op: "replace", path: "/list/2", value: 1 }],
    ["replace of -", { op: "replace", path: "/list/-", value: 1 }],
    ["replace of an inherited name", { op: "replace", path: "/toString", value: 1 }],
    ["add far beyond an array", { op: "add", path: "/list/400000", value: 1 }],
    ["add at an index of a huge number", { op: "add", path: `/list/${"9".repeat(400)}`, value: 1 }],
    ["add at an index that wraps to 0", { op: "add", path: "/list/4294967296", value: 1 }],
    ["add to the length of an array", { op: "add", path: "/list/length", value: 1 }],
    ["add at an empty index", { op: "add", path: "/list/", value: 1 }],
    ["add at an index with a leading zero", { op: "add", path: "/list/01", value: 1 }],
    ["add at a negative index", { op: "add", path: "/list/-1", value: 1 }],
    ["add at a signed index", { op: "add", path: "/list/+1", value: 1 }],
    ["add at a fraction", { op: "add", path: "/list/1.0", value: 1 }],
    ["add at a non-ASCII digit", { op: "add", path: "/list/١", value: 1 }],
    ["add under an inherited function", { op: "add", path: "/toString/x", value: 1 }],
    ["add under an inherited function of an array", { op: "add", path: "/list/push/x", value: 1 }],
    ["add under a scalar", { op: "add", path: "/a/c/0", value: 1 }],
    ["add under null", { op: "add", path: "/n/x", value: 1 }],
    ["add under a missing parent", { op: "add", path: "/missing/x", value: 1 }],
    ["add without a value", { op: "add", path: "/x" }],
    ["add of undefined", { op: "add", path: "/x", value: undefined }],
    ["add of a function", { op: "add", path: "/x", value: () => 1 }],
    ["test of an inherited name", { op: "test", path: "/toString", value: null }],
    ["test of a missing key against null", { op: "test", path: "/missing", value: null }],
    ["test of a length", { op: "test", path: "/list/length", value: 2 }],
    ["remove of a missing key", { op: "remove", path: "/missing" }],
    ["remove of an inherited name", { op: "remove", path: "/hasOwnProperty" }],
    ["remove of -", { op: "remove", path: "/list/-" }],
    ["remove beyond an array", { op: "remove", path: "/list/2" }],
    ["copy from an inherited name", { op: "copy", from: "/toString", path: "/x" }],
    ["copy from a missing key", { op: "copy", from: "/missing", path: "/x" }],
    ["copy from a missing key onto the root", { op: "copy", from: "/missing", path: "" }],
    ["move from a missing key onto the root", { op: "move", from: "/missing", path: "" }],
    ["copy from -", { op: "copy", from: "/list/-", path: "/x" }],
    ["move from an inherited name", { op: "move", from: "/valueOf", path: "/x" }],
    ["move beyond what is left", { op: "move", from: "/list/0", path: "/list/2" }],
    ["move into its own child", { op: "move", from: "/a", path: "/a/x" }],
    ["move of an element into its own child", { op: "move", from: "/a/b", path: "/a/b/0" }],
    ["move of the root into a child", { op: "move", from: "", path: "/x" }],
    ["move without from", { op: "move", path: "/x" }],
    ["a bad escape", { op: "add", path: "/x~2", value: 1 }],
    ["an unfinished escape", { op: "add", path: "/x~", value: 1 }],
    ["a bad escape in from", { op: "copy", from: "/a~", path: "/x" }],
    ["a path without a leading slash", { op: "add", path: "x", value: 1 }],
    ["a URI fragment", { op: "add", path: "#/x", value: 1 }],
    ["a path that is no text", { op: "add", path: ["x"], value: 1 }],
    ["no path", { op: "add", value: 1 }],
    ["an inherited op", Object.create({ op: "remove", path: "/n" })],
    ["an unknown op", { op: "_get", path: "/a" }],
    ["an op named like a method", { op: "toString", path: "/a" }],
    ["an op that is no text", { op: ["add"], path: "/x", value: 1 }],
    ["an operation that is null", null],
    ["an operation that is a list", []],
    ["an operation that is text", "add"],
  ])("refuses %s", (_name, operation) => {
    expect(refused(operation)).toBe("invalid");
  });

  test.each([null, undefined, {}, "[]", 1, { length: 1, 0: { op: "remove", path: "/n" } }])("refuses %s as a patch", (patch) => {
    expect(patchErrorOf(() => applyJsonPatch(fresh(), patch)).reason).toBe("invalid");
  });

  test("the library still throws at a test of an object with a member hasOwnProperty; we do not", () => {
    const document = { a: { hasOwnProperty: 1, toString: 2 } };
    const operation = { op: "test", path: "/a", value: { toString: 2, hasOwnProperty: 1 } } as const;
    expect(() => jsonpatch.applyPatch(document, [operation], true)).toThrow(TypeError);
    expect(applyJsonPatch(document, [operation])).toEqual(document);
  });

  test("data under names of Object.prototype can be added, tested, moved and removed", () => {
    const patched = applyJsonPatch({ data: {} }, [
      { op: "add", path: "/data/toString", value: { x: 1 } },
      { op: "add", path: "/data/toString/hasOwnProperty", value: [1] },
      { op: "test", path: "/data/toString", value: { hasOwnProperty: [1], x: 1 } },
      { op: "move", from: "/data/toString", path: "/data/valueOf" },
      { op: "remove", path: "/data/valueOf/x" },
    ]);
    expect(JSON.stringify(patched)).toBe('{"data":{"valueOf":{"hasOwnProperty":[1]}}}');
  });

  test("tests numbers by value and members in any order", () => {
    const document = { a: -0, b: { c: 1, d: [{ e: 2, f: 3 }] } };
    const value = { d: [{ f: 3, e: 2 }], c: 1.0 };
    const patch = [
      { op: "test", path: "/a", value: 0 },
      { op: "test", path: "/b", value },
    ];
    expect(applyJsonPatch(document, patch)).toBe(document);
    for (const other of [{ ...value, g: 1 }, { c: 1 }, [1], { c: "1", d: value.d }, null]) {
      expect(patchErrorOf(() => applyJsonPatch(document, [{ op: "test", path: "/b", value: other }])).reason).toBe("testFailed");
    }
  });

  test("does not take a member that is null for one that is absent", () => {
    const operation = { op: "test", path: "/x", value: { b: null } };
    expect(patchErrorOf(() => applyJsonPatch({ x: { a: null } }, [operation])).reason).toBe("testFailed");
  });

  test("does not move an element into the one that takes its place", () => {
    const operation = { op: "move", from: "/0", path: "/0/x" };
    expect(patchErrorOf(() => applyJsonPatch([{ a: 1 }, { b: 2 }], [operation]))).toMatchObject({ reason: "invalid" });
  });

  test("changes the whole document and back", () => {
    const patch = [
      { op: "move", from: "/a/b", path: "" },
      { op: "test", path: "", value: [1, 2] },
      { op: "add", path: "/-", value: 3 },
      { op: "copy", from: "", path: "/0" },
    ];
    expect(applyJsonPatch(fresh(), patch)).toEqual([[1, 2, 3], 1, 2, 3]);
    expect(applyJsonPatch(fresh(), [{ op: "remove", path: "" }])).toBeNull();
    expect(applyJsonPatch(fresh(), [{ op: "move", from: "", path: "" }])).toEqual(fresh());
    expect(refused({ op: "remove", path: "" }, { op: "add", path: "/x", value: 1 })).toBe("invalid");
  });

  test("clones values, so that later operations change neither the patch nor an earlier value", () => {
    const patch = [
      { op: "add", path: "/x", value: { y: [] } },
      { op: "copy", from: "/x", path: "/z" },
      { op: "add", path: "/x/y/-", value: 1 },
    ];
    expect(applyJsonPatch({}, patch)).toEqual({ x: { y: [1] }, z: { y: [] } });
    expect(patch[0]).toEqual({ op: "add", path: "/x", value: { y: [] } });
  });
});

describe("JSON Patch: attacks", () => {
  const keys = ["__proto__", "constructor", "prototype"];
  const operations = keys.flatMap((key) => [
    { op: "add", path: `/${key}/polluted`, value: 1 },
    { op: "add", path: `/a/${key}`, value: 1 },
    { op: "add", path: `/a/${key}/prototype/polluted`, value: 1 },
    { op: "add", path: `/list/${key}/polluted`, value: 1 },
    { op: "replace", path: `/${key}`, value: {} },
    { op: "remove", path: `/${key}/toString` },
    { op: "test", path: `/${key}`, value: {} },
    { op: "copy", from: `/${key}`, path: "/x" },
    { op: "move", from: `/${key}/toString`, path: "/x" },
    { op: "move", from: "/list", path: `/${key}/x` },
    { op: "copy", from: "/list", path: `/a/b/0/${key}` },
  ]);

  test.each(operations)("refuses $op at $path from $from and leaves the prototypes alone", (operation) => {
    const before = snapshotPrototypes();
    const error = patchErrorOf(() => applyJsonPatch(fresh(), [operation]));
    expect(error.reason).toBe("forbiddenKey");
    expect(error.path).toMatch(/(?:__proto__|constructor|prototype)$/);
    expect(snapshotPrototypes()).toEqual(before);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("names the path of a forbidden key as field errors do", () => {
    const path = (operation: string): string | undefined =>
      patchErrorOf(() => applyJsonPatch({ group: { data: {} } }, JSON.parse(`[${operation}]`))).path;
    expect(path('{"op":"add","path":"/group/data/__proto__/x","value":1}')).toBe("group.data.__proto__");
    expect(path('{"op":"add","path":"/group/data","value":{"a":[{"__proto__":1}]}}')).toBe("group.data.a[0].__proto__");
    expect(path('{"op":"test","path":"/group/data","value":{"__proto__":1}}')).toBe("group.data.__proto__");
  });

  test("keeps constructor and prototype as keys inside a value", () => {
    const value = JSON.parse('{"constructor":{"prototype":{"polluted":1}},"after":2}');
    expect(applyJsonPatch({}, [{ op: "add", path: "/data", value }])).toEqual({ data: value });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("ends a copy bomb early", () => {
    // Each round takes in twice what the round before it made: unstopped, it would double 40 times.
    const doubling = Array.from({ length: 40 }, (_, index) => [
      { op: "add", path: `/k${index + 1}`, value: [] },
      { op: "copy", from: `/k${index}`, path: `/k${index + 1}/-` },
      { op: "copy", from: `/k${index}`, path: `/k${index + 1}/-` },
    ]).flat();
    const flat = Array.from({ length: 400 }, () => ({ op: "copy", from: "/source", path: "/list/-" }));
    const started = cpuTime();
    const reasons = [
      patchErrorOf(() => applyJsonPatch({ k0: "0123456789" }, doubling)).reason,
      patchErrorOf(() => applyJsonPatch({ source: "x".repeat(100_000), list: [] }, flat)).reason,
      patchErrorOf(() => applyJsonPatch({ source: Array(100_000).fill(0), list: [] }, flat)).reason,
    ];
    expect(reasons).toEqual(["tooLarge", "tooLarge", "tooLarge"]);
    expect(cpuTime() - started).toBeLessThan(1000);
  });

  test("counts what copy, add and replace bring in, in bytes, and not what move and test name", () => {
    const text = "é".repeat(50);
    const limits = { maxBytes: 250 };
    const add = { op: "add", path: "/x", value: text };
    const copy = { op: "copy", from: "/x", path: "/y" };
    const free = [
      { op: "test", path: "/x", value: text },
      { op: "move", from: "/x", path: "/z" },
    ];
    expect(applyJsonPatch({}, [add, copy, ...free], limits)).toEqual({ y: text, z: text });
    for (const third of [copy, add, { op: "replace", path: "/x", value: text }]) {
      expect(patchErrorOf(() => applyJsonPatch({}, [add, copy, third], limits))).toMatchObject({ reason: "tooLarge" });
    }
    expect(patchErrorOf(() => applyJsonPatch({}, [{ ...add, value: "x".repeat(1_048_576) }])).reason).toBe("tooLarge");
  });

  test("takes 500 operations and refuses 501, or another limit's one more", () => {
    const patch = Array.from({ length: 501 }, () => ({ op: "test", path: "/n", value: null }));
    expect(applyJsonPatch(fresh(), patch.slice(1))).toEqual(fresh());
    expect(patchErrorOf(() => applyJsonPatch(fresh(), patch)).reason).toBe("tooManyOperations");
    expect(patchErrorOf(() => applyJsonPatch(fresh(), patch.slice(0, 3), { maxOperations: 2 })).reason).toBe("tooManyOperations");
  });

  test("spends no time on the size of the document", () => {
    const big = Array.from({ length: 10_000 }, (_, index) => ({ id: "x".repeat(60), index }));
    const moves = Array.from({ length: 250 }, (_, index) => ({ op: "move", from: `/k${index}`, path: `/k${index + 1}` }));
    const shifts = Array.from({ length: 250 }, () => ({ op: "move", from: "/small/0", path: "/nested/0" }));
    const started = cpuTime();
    applyJsonPatch({ k0: big, small: Array(250).fill(1), nested: [[big]] }, [...moves, ...shifts]);
    expect(cpuTime() - started).toBeLessThan(1000);
  });

  test("refuses deep pointers, deep values and what moves make too deep", () => {
    const deep = (): JsonValue => JSON.parse(JSON.stringify(nest(64)));
    const tooDeep = { op: "replace", path: pointerTo(65), value: 1 };
    expect(patchErrorOf(() => applyJsonPatch(JSON.parse(JSON.stringify(nest(70))), [tooDeep])).reason).toBe("invalid");
    expect(refused({ op: "add", path: "/x", value: nest(60_000) })).toBe("invalid");
    expect(refused({ op: "test", path: "/a", value: nest(60_000) })).toBe("invalid");
    expect(applyJsonPatch(deep(), [{ op: "add", path: pointerTo(64), value: 1 }])).toBeDefined();
    const refusedDeep = (operation: object): string =>
      patchErrorOf(() => applyJsonPatch({ x: {}, d: deep() }, [operation])).reason;
    expect(refusedDeep({ op: "add", path: `/d${pointerTo(63)}`, value: {} })).toBe("invalid");
    expect(refusedDeep({ op: "copy", from: "/d", path: "/x/y" })).toBe("invalid");
    expect(refusedDeep({ op: "move", from: "/d", path: "/x/y" })).toBe("invalid");
    const chain = Array.from({ length: 500 }, (_, index) => ({
      op: "move",
      from: `/d${index}`,
      path: `/d${index + 1}${pointerTo(59)}`,
    }));
    const documents = Object.fromEntries(
      Array.from({ length: 501 }, (_, index) => [`d${index}`, JSON.parse(JSON.stringify(nest(60)))]),
    );
    expect(patchErrorOf(() => applyJsonPatch(documents, chain)).reason).toBe("invalid");
  });

  test("says nothing of the document when a test or anything else fails", () => {
    const secret = "s3cr3t-hash";
    for (const operation of [
      { op: "test", path: "/user/password", value: "guess" },
      { op: "test", path: "/user", value: { password: "guess" } },
      { op: "test", path: "", value: null },
      { op: "add", path: "/user/password/x", value: 1 },
      { op: "add", path: "/list/x", value: 1 },
      { op: "copy", from: "/user", path: "/none/x" },
      { op: "move", from: "/user", path: "/user/x" },
      { op: "remove", path: "/user/x" },
    ]) {
      const error = patchErrorOf(() => applyJsonPatch({ user: { password: secret }, list: [secret] }, [operation]));
      expect(error.reason).toBe(operation.op === "test" ? "testFailed" : "invalid");
      expect([error.message, error.path, error.stack, JSON.stringify(error), String(error.cause)].join()).not.toContain(secret);
    }
  });
});
