import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { applyJsonPatch } from "../../src/json/json-patch.js";
import type { JsonValue } from "../../src/json/json-value.js";
import { skippedVectors } from "./skipped-vectors.js";
import { patchErrorOf } from "./support.js";

interface Vector {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch: unknown;
  readonly expected?: JsonValue;
  readonly error?: string;
}

const load = createRequire(import.meta.url);
const vectors = ["tests.json", "spec_tests.json"].flatMap((file) =>
  (load(`json-patch-test-suite/${file}`) as Vector[]).map((vector, index) => ({ name: `${file} ${index}`, vector })),
);
const passes = ({ doc, patch, expected, error }: Vector): void => {
  if (error !== undefined) expect(patchErrorOf(() => applyJsonPatch(structuredClone(doc), patch))).toBeDefined();
  else expect(applyJsonPatch(structuredClone(doc), patch)).toEqual(expected ?? doc);
};

describe("json-patch-test-suite", () => {
  test("holds all its vectors", () => expect(vectors).toHaveLength(95));

  for (const { name, vector } of vectors.filter(({ name }) => !(name in skippedVectors))) {
    test(`${name}: ${vector.comment ?? vector.error ?? JSON.stringify(vector.patch)}`, () => passes(vector));
  }

  test.each(Object.entries(skippedVectors))("skips %s for a reason that still holds", (name, reason) => {
    const skipped = vectors.find((known) => known.name === name);
    expect(reason.trim().length).toBeGreaterThan(20);
    expect(skipped).toBeDefined();
    expect(() => skipped && passes(skipped.vector)).toThrow();
  });
});
