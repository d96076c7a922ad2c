import { describe, expect, test } from "vitest";
import { splitListChanges } from "../../../adapters/scim/patch/list-changes.js";
import { patchSchemaId, readPatch } from "../../../adapters/scim/patch/read-patch.js";
import { ScimError } from "../../../adapters/scim/schema/errors.js";
import { groupType } from "../../../adapters/scim/schema/schemas.js";

describe("changes of members alone", () => {
  const split = (...operations: readonly unknown[]) =>
    splitListChanges(readPatch(groupType, { schemas: [patchSchemaId], Operations: operations }).operations, "members");

  test("need no members", () => {
    const found = split(
      { op: "add", path: "members", value: ["1", "2"] },
      { op: "remove", path: 'members[value eq "2" or value eq "3"]' },
      { op: "Remove", path: "members", value: [{ value: "4" }] },
      { op: "add", path: "members", value: [{ value: "3" }] },
      { op: "replace", value: { displayName: "Crew" } },
    );
    expect(found?.changes).toEqual({ added: [{ value: "1" }, { value: "3" }], removed: ["2", "4"] });
    expect(found?.rest).toMatchObject([{ op: "replace", value: "Crew" }]);
  });

  test("say that all are replaced", () => {
    expect(
      split({ op: "replace", path: "members", value: ["1"] }, { op: "add", path: "members", value: ["2"] })?.changes,
    ).toEqual({
      added: [{ value: "1" }, { value: "2" }],
      removed: [],
      replaced: [{ value: "1" }, { value: "2" }],
    });
    expect(split({ op: "remove", path: "members" })?.changes).toEqual({ added: [], removed: [], replaced: [] });
  });

  test("need the members for other paths", () => {
    expect(split({ op: "remove", path: 'members[type eq "User"]' })).toBeUndefined();
    expect(split({ op: "remove", path: 'members[value sw "1"]' })).toBeUndefined();
    expect(split({ op: "add", path: 'members[value eq "1"]', value: { type: "User" } })).toBeUndefined();
    expect(split({ op: "add", path: 'members[value eq "1"].type', value: "User" })).toBeUndefined();
  });

  test("need a value", () => {
    const invalid = new ScimError(400, "invalidValue", 'A value of "members" has no `value`.');
    expect(() => split({ op: "add", path: "members", value: [{ type: "User" }] })).toThrow(invalid);
  });
});
