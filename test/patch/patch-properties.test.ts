import jsonpatch, { type Operation } from "fast-json-patch";
import { describe, expect, test } from "vitest";
import { applyJsonPatch } from "../../src/json/json-patch.js";
import { isEqualJson, type JsonObject, type JsonValue, PatchError } from "../../src/json/json-value.js";
import { applyAppendMerge, applyMergePatch } from "../../src/json/merge-patch.js";
import { cases, fc } from "../support/properties.js";
import { freezeDeeply, snapshotPrototypes } from "./support.js";

const runs = cases(2000);
const awkwardKeys = [
  "a",
  "b",
  "0",
  "1",
  "",
  "-",
  "a/b",
  "m~n",
  "toString",
  "hasOwnProperty",
  "constructor",
  "prototype",
  "__proto__",
];
const safeKeys = ["a", "b", "0", "1", "", "a/b", "m~n"];

const jsonOver = (keys: readonly string[]): fc.Arbitrary<JsonObject> => {
  const { root } = fc.letrec<{ root: JsonObject; value: JsonValue }>((tie) => ({
    root: fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 4, noNullPrototype: true }),
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, true, 0, 1, "x"),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("root"),
    ),
  }));
  return root;
};
const pointerOver = (keys: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...keys, "-", "2"), { maxLength: 4 })
    .map((tokens) => tokens.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""));
const patchOver = (keys: readonly string[]): fc.Arbitrary<Operation[]> => {
  const pointer = pointerOver(keys);
  const operation = fc.oneof(
    fc.record({ op: fc.constantFrom("add" as const, "replace" as const, "test" as const), path: pointer, value: jsonOver(keys) }),
    fc.record({ op: fc.constantFrom("copy" as const, "move" as const), from: pointer, path: pointer }),
    fc.record({ op: fc.constant("remove" as const), path: pointer }),
  );
  return fc.array(operation, { maxLength: 5 });
};

const anything = fc.anything({
  key: fc.oneof(fc.constantFrom(...awkwardKeys, "op", "path", "from", "value"), fc.string()),
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});
const garbageOperations = fc.array(
  fc.oneof(
    anything,
    fc.record({
      op: fc.oneof(fc.constantFrom("add", "replace", "test", "remove", "copy", "move"), anything),
      path: fc.oneof(pointerOver(awkwardKeys), fc.string(), anything),
      from: fc.oneof(pointerOver(awkwardKeys), anything),
      value: anything,
    }),
  ),
  { maxLength: 5 },
);
const patches = fc.oneof(patchOver(awkwardKeys), jsonOver(awkwardKeys), garbageOperations, anything);
const copyOf = <T extends JsonValue>(value: T): T => JSON.parse(JSON.stringify(value));

/** The result, or undefined for a refusal; anything else that is thrown falsifies the property. */
const attempt = <T>(act: () => T): T | undefined => {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return undefined;
  }
};

const flavours: Readonly<Record<string, (document: JsonObject, patch: unknown) => JsonValue>> = {
  "append merge": (document, patch) => applyAppendMerge(freezeDeeply(document), patch, { sets: new Set(["a", "a.b"]) }),
  "merge patch": (document, patch) => applyMergePatch(freezeDeeply(document), patch),
  "JSON Patch": applyJsonPatch,
};

describe.each(Object.entries(flavours))("%s, of anything to anything", (_name, apply) => {
  // Documents and patches that are not to be changed are frozen: a write to them would throw a TypeError.
  test("throws nothing but PatchError, and changes neither the patch nor a prototype", () => {
    const before = snapshotPrototypes();
    const property = fc.property(jsonOver(awkwardKeys), patches, (document, patch) => {
      const result = attempt(() => apply(document, freezeDeeply(patch)));
      if (result !== undefined) JSON.stringify(result);
    });
    fc.assert(property, runs);
    expect(snapshotPrototypes()).toEqual(before);
  });

  test("gives only what JSON can hold", () => {
    const property = fc.property(jsonOver(awkwardKeys), patches, (document, patch) => {
      const result = attempt(() => apply(document, patch));
      if (result !== undefined) expect(isEqualJson(JSON.parse(JSON.stringify(result)), result)).toBe(true);
    });
    fc.assert(property, runs);
  });
});

describe("JSON Patch beside the library's own validated run", () => {
  test("gives the same result wherever it accepts", () => {
    let accepted = 0;
    const property = fc.property(jsonOver(safeKeys), patchOver(safeKeys), (document, patch) => {
      const ours = attempt(() => applyJsonPatch(copyOf(document), patch));
      if (ours === undefined) return;
      accepted++;
      expect(ours).toEqual(jsonpatch.applyPatch(copyOf(document), structuredClone(patch), true).newDocument);
    });
    fc.assert(property, runs);
    expect(accepted).toBeGreaterThan(runs.numRuns / 20);
  });

  test("refuses what the library refuses, and of what it accepts only the known cases", () => {
    const property = fc.property(jsonOver(safeKeys), patchOver(safeKeys), (document, patch) => {
      const theirs = attempt(() => libraryResult(document, patch));
      const ours = attempt(() => applyJsonPatch(copyOf(document), patch));
      if (theirs === undefined) expect(ours).toBeUndefined();
      else if (ours === undefined) expect(patch.some(isLibraryLax)).toBe(true);
    });
    fc.assert(property, runs);
  });
});

function libraryResult(document: JsonObject, patch: readonly Operation[]): JsonValue {
  try {
    return jsonpatch.applyPatch<JsonValue>(copyOf(document), structuredClone([...patch]), true).newDocument;
  } catch {
    throw new PatchError("invalid", "refused by the library");
  }
}

/** Whether an operation is of a kind that the library accepts though it should not. */
function isLibraryLax(operation: Operation): boolean {
  if (isEmptyToken(operation.path)) return true;
  if (operation.op !== "copy" && operation.op !== "move") return false;
  // It checks neither of them against the end of an array.
  if (/\/\d+$/.test(operation.path)) return true;
  return isEmptyToken(operation.from) || operation.path === "" || operation.path.startsWith(`${operation.from}/`);
}

// At an array the library takes an empty token for the index 0.
function isEmptyToken(pointer: string): boolean {
  return /\/(?:\/|$)/.test(pointer);
}

describe("the merges", () => {
  const document = jsonOver(safeKeys);

  test("undo nothing when the patch is empty, and a merge patch applied twice is applied once", () => {
    const property = fc.property(document, jsonOver(safeKeys), (stored, patch) => {
      expect(applyAppendMerge(stored, {})).toEqual(stored);
      expect(applyMergePatch(stored, {})).toEqual(stored);
      const once = applyMergePatch(stored, patch);
      expect(applyMergePatch(once, patch)).toEqual(once);
    });
    fc.assert(property, runs);
  });

  test("merge a patch of any names by the library as by our own walk, in order too", () => {
    const keys = awkwardKeys.filter((key) => key !== "__proto__");
    let byLibrary = 0;
    const property = fc.property(jsonOver([...keys, ...safeKeys]), jsonOver([...keys, ...safeKeys]), (stored, patch) => {
      byLibrary += JSON.stringify([stored, patch]).match(/toString|hasOwn|constr|proto/) === null ? 1 : 0;
      const inWalk = applyMergePatch(freezeDeeply({ stored, hasOwnProperty: 1 }), freezeDeeply({ stored: patch })) as JsonObject;
      expect(JSON.stringify(applyMergePatch(stored, patch))).toBe(JSON.stringify(inWalk.stored));
    });
    fc.assert(property, runs);
    expect(byLibrary).toBeGreaterThan(0);
  });

  test("agree wherever the patch has no array", () => {
    const noArrays = document.filter((patch) => !JSON.stringify(patch).includes("["));
    const property = fc.property(document, noArrays, (stored, patch) => {
      expect(applyAppendMerge(stored, patch)).toEqual(applyMergePatch(stored, patch));
    });
    fc.assert(property, runs);
  });
});
