// The cases of scim-patch's tests. Where we differ, the case says why.
import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../adapters/scim/patch/apply-patch.js";
import { patchSchemaId, readPatch } from "../../../adapters/scim/patch/read-patch.js";
import type { ScimError } from "../../../adapters/scim/schema/errors.js";
import { type PatchCase, scimPatchBodies, scimPatchCases, scimPatchUser } from "./scim-patch-cases.js";
import { scimPatchType } from "./scim-patch-type.js";

function resourceOf({ given = {} }: PatchCase): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries({ ...scimPatchUser, ...given }).filter(([, value]) => value !== undefined));
}

function patch(resource: Readonly<Record<string, unknown>>, operations: readonly unknown[]): Readonly<Record<string, unknown>> {
  return applyPatch(
    scimPatchType,
    resource,
    readPatch(scimPatchType, { schemas: [patchSchemaId], Operations: operations }).operations,
  );
}

function causeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return (error as ScimError).scimType;
  }
  return undefined;
}

describe("operations", () => {
  test.each(scimPatchCases)("$name", (row) => {
    const resource = resourceOf(row);
    const before = structuredClone(resource);
    if (row.error !== undefined) expect(causeOf(() => patch(resource, row.operations))).toBe(row.error);
    else {
      const patched = patch(resource, row.operations);
      const state = Object.fromEntries(Object.keys(row.expected ?? {}).map((name) => [name, patched[name] ?? null]));
      expect(state).toEqual(row.expected);
      expect(Object.keys(patched)).not.toContain("unknown");
    }
    expect(resource).toEqual(before);
  });
});

describe("bodies", () => {
  test.each(scimPatchBodies)("$name", ({ body, error }) => {
    expect(causeOf(() => readPatch(scimPatchType, body))).toBe(error);
  });
});

test("few cases differ, each with its reason", () => {
  const differing = scimPatchCases.filter(({ differs }) => differs !== undefined);
  expect(scimPatchCases.length).toBeGreaterThanOrEqual(96);
  expect(differing.length).toBeLessThanOrEqual(12);
});
