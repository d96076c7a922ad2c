// The cases of scim-patch's tests as requests to the server, apart from those that need attributes of a schema of their own.
import { expect } from "vitest";
import type { Answer } from "../../support/answer.js";
import { requirement } from "../../support/requirement.js";
import { forEachStorage } from "../../support/world.js";
import { type PatchCase, scimPatchBodies, scimPatchCases, scimPatchUser } from "../patch/scim-patch-cases.js";
import { type Directory, expectStatus, patchOf, refusalOf, startDirectory } from "../support/directory.js";

const isForeign = (row: PatchCase): boolean => /newProperty|favorites|surName|nestedArray|randomField/.test(JSON.stringify(row));
const rows = scimPatchCases.filter((row) => !isForeign(row));

/** The API refuses what is no address, wherever scim-patch's tests write one. */
const isNoAddress = (answer: Answer): boolean => answer.status === 400 && answer.text.includes("must be an email address");

async function runCase(call: Directory["call"], row: PatchCase): Promise<boolean> {
  const created = await call("POST", "/Users", { ...scimPatchUser, ...row.given });
  if (isNoAddress(created)) return true;
  const { id } = await expectStatus(created, 201);
  const path = `/Users/${id}`;
  const before = await expectStatus(call("GET", path), 200);
  const answer = await call("PATCH", path, patchOf(...row.operations));
  const isRefused = row.error !== undefined || isNoAddress(answer);
  const cause = isNoAddress(answer) ? "invalidValue" : row.error;
  expect([row.name, answer.status, answer.at("scimType")]).toEqual([row.name, isRefused ? 400 : 200, cause]);
  const state = await expectStatus(call("GET", path), 200);
  const expected = isRefused ? before : (row.expected ?? {});
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, state[name] ?? null]));
  // A user without `active` stays as active as it was.
  expect([row.name, found]).toEqual([row.name, { ...expected, ...(expected.active === null && { active: true }) }]);
  await expectStatus(call("DELETE", path), 204);
  return isNoAddress(answer);
}

forEachStorage((start) => {
  requirement("scim.patch", "cases of scim-patch lead to the same state on the server", async () => {
    expect(rows.length).toBeGreaterThan(50);
    const { call } = await startDirectory(start);
    const left: string[] = [];
    for (const row of rows) if (await runCase(call, row)) left.push(row.name);
    expect(left.length).toBeLessThan(20);
  });

  requirement("scim.patch", "bodies of scim-patch are refused with the same cause", async () => {
    const { call } = await startDirectory(start);
    const { id } = await expectStatus(call("POST", "/Users", scimPatchUser), 201);
    for (const { body, error, name } of scimPatchBodies) {
      const refused = await refusalOf(call("PATCH", `/Users/${id}`, body));
      expect([name, ...refused]).toEqual([name, error === undefined ? 200 : 400, error]);
    }
  });
});
