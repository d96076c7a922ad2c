// What Okta and Entra send, row by row of quirks.ts.
import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../adapters/scim/patch/apply-patch.js";
import { patchSchemaId, readPatch } from "../../../adapters/scim/patch/read-patch.js";
import { readResource } from "../../../adapters/scim/schema/read-resource.js";
import { groupType, type ScimResource, userType } from "../../../adapters/scim/schema/schemas.js";
import { type Quirk, quirkGroup, quirks, quirkUser } from "./quirks.js";

function run({ type, method, given, sent }: Quirk): ScimResource {
  const resourceType = type === "User" ? userType : groupType;
  if (method !== "PATCH") return readResource(resourceType, sent).resource;
  const before = { ...(type === "User" ? quirkUser : quirkGroup), ...given };
  return applyPatch(resourceType, before, readPatch(resourceType, { schemas: [patchSchemaId], Operations: sent }).operations);
}

describe.each(["Okta", "Entra", "seen"] as const)("%s", (sender) => {
  const rows = quirks.filter((quirk) => quirk.sender === sender);
  test.each(rows)("$method $type: $name", (quirk) => {
    const state = run(quirk);
    for (const [name, value] of Object.entries(quirk.expected)) expect([name, state[name] ?? null]).toEqual([name, value]);
  });
});

test("what a row does not name stays", () => {
  const [row] = quirks;
  expect(row && run(row)).toEqual({ ...quirkUser, active: false });
});
