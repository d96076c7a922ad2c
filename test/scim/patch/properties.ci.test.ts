// Random operations on random resources against a slow, obvious model.
import { expect, test } from "vitest";
import { applyPatch } from "../../../adapters/scim/patch/apply-patch.js";
import { splitListChanges } from "../../../adapters/scim/patch/list-changes.js";
import { patchSchemaId, readPatch } from "../../../adapters/scim/patch/read-patch.js";
import { ScimError } from "../../../adapters/scim/schema/errors.js";
import { groupType, type ResourceType, type ScimResource, userType } from "../../../adapters/scim/schema/schemas.js";
import { fc } from "../../support/properties.js";
import { type ModelOperation, type Parts, patchModel } from "./patch-model.js";
import { group, groupOperations, toRequest, user, userOperations } from "./random-operations.js";

const style = fc.integer({ min: 0, max: 5 });

function toBody(operations: readonly ModelOperation[], style: number): unknown {
  return { schemas: [patchSchemaId], Operations: operations.map((operation) => toRequest(operation, style)) };
}

function patch(type: ResourceType, resource: ScimResource, body: unknown): unknown {
  try {
    const { schemas: _, ...patched } = applyPatch(type, resource, readPatch(type, body).operations);
    return patched;
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
}

const runs = { numRuns: 3000 };

test("a user after random operations is what the model says, and the given one is unchanged", () => {
  const check = (before: Parts, operations: readonly ModelOperation[], style: number) => {
    const copy = structuredClone(before);
    expect(patch(userType, before, toBody(operations, style))).toEqual(patchModel(before, operations));
    expect(before).toEqual(copy);
  };
  fc.assert(fc.property(user, userOperations, style, check), runs);
});

test("a group after random operations is what the model says", () => {
  const check = (before: Parts, operations: readonly ModelOperation[], style: number) => {
    expect(patch(groupType, before, toBody(operations, style))).toEqual(patchModel(before, operations));
  };
  fc.assert(fc.property(group, groupOperations, style, check), runs);
});

test("split changes of members come to the members of the whole operations", () => {
  const check = (before: Parts, requested: readonly ModelOperation[], style: number) => {
    const { operations } = readPatch(groupType, toBody(requested, style));
    const split = splitListChanges(operations, "members");
    if (split === undefined) throw new Error("All of these can be split.");
    const { changes, rest } = split;
    const ids = (members: unknown) => new Set(((members ?? []) as readonly Parts[]).map(({ value }) => value));
    const next = changes.replaced === undefined ? ids(before.members) : ids(changes.replaced);
    for (const id of changes.removed) next.delete(id);
    for (const { value } of changes.added) next.add(value);
    const whole = applyPatch(groupType, before, operations);
    expect(next).toEqual(ids(whole.members));
    expect(applyPatch(groupType, before, rest).displayName).toEqual(whole.displayName);
    expect(changes.added.filter(({ value }) => changes.removed.includes(String(value)))).toEqual([]);
  };
  fc.assert(fc.property(group, groupOperations, style, check), runs);
});
