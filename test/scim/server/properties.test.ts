// Random resources, PATCHes and filters through the server, against what is slow and obvious.
import { expect, vi } from "vitest";
import { matches } from "../../../adapters/scim/filter/match.js";
import { parseFilter } from "../../../adapters/scim/filter/parse-filter.js";
import { groupType, type ResourceType, type ScimResource, userType } from "../../../adapters/scim/schema/schemas.js";
import { cases, fc, isLong } from "../../support/properties.js";
import { requirement } from "../../support/requirement.js";
import { filter as anyFilter } from "../filter/random-filters.js";
import { type ModelOperation, type Parts, patchModel } from "../patch/patch-model.js";
import { group, groupOperations, toRequest, user, userOperations } from "../patch/random-operations.js";
import { filters, words } from "../search/random-searches.js";
import {
  createGroup,
  createUser,
  type Directory,
  expectStatus,
  listPath,
  patchOf,
  startDirectory,
} from "../support/directory.js";
import { forEachStorageInFull } from "../support/storages.js";

if (isLong) vi.setConfig({ testTimeout: 300_000 });

const style = fc.integer({ min: 0, max: 5 });

async function read(call: Directory["call"], path: string): Promise<Parts> {
  const { id: _id, meta: _meta, schemas: _schemas, ...shown } = await expectStatus(call("GET", path), 200);
  return shown;
}

/** Sends operations, and expects the state of the model, or its refusal and the state before. */
async function expectModel(
  call: Directory["call"],
  path: string,
  sent: readonly [operations: readonly ModelOperation[], style: number],
): Promise<void> {
  const [operations, requestStyle] = sent;
  const before = await read(call, path);
  const expected = patchModel(before, operations);
  const answer = await call("PATCH", path, patchOf(...operations.map((operation) => toRequest(operation, requestStyle))));
  const after = await read(call, path);
  if (typeof expected === "string") {
    expect([answer.status, answer.at("scimType")]).toEqual([400, expected]);
    expect(after).toEqual(before);
    return;
  }
  expect([answer.status, answer.text]).toEqual([expect.toBeOneOf([200, 204]), answer.text]);
  expect(after).toEqual({ active: before.active, ...expected });
}

forEachStorageInFull(isLong, (start) => {
  requirement("scim.properties", "a random user after random operations is what the model says", async () => {
    const { call } = await startDirectory(start);
    const check = async (before: Parts, operations: readonly ModelOperation[], requestStyle: number) => {
      const { id } = await expectStatus(call("POST", "/Users", before), 201);
      try {
        await expectModel(call, `/Users/${id}`, [operations, requestStyle]);
      } finally {
        await call("DELETE", `/Users/${id}`);
      }
    };
    await fc.assert(fc.asyncProperty(user, userOperations, style, check), cases(300));
  });

  requirement("scim.properties", "a random group after random operations is what the model says", async () => {
    const { call } = await startDirectory(start);
    const ids: Record<string, string> = {};
    for (const name of ["m1", "m2", "m3", "m4", "M1"]) ids[name] = await createUser(call, `${name}${name === "M1" ? "x" : ""}`);
    const real = <T>(value: T): T => JSON.parse(JSON.stringify(value).replace(/\b[mM]\d\b/g, (name) => ids[name] ?? name)) as T;
    const check = async (before: Parts, operations: readonly ModelOperation[], requestStyle: number) => {
      const { id } = await expectStatus(call("POST", "/Groups", real(before)), 201);
      const sent = operations.map((operation) => real(toRequest(operation, requestStyle)));
      expect([(await call("PATCH", `/Groups/${id}`, patchOf(...sent))).status]).toEqual([204]);
      const { displayName, members } = real(patchModel(before, operations)) as Parts;
      const after = await read(call, `/Groups/${id}`);
      expect(valuesOf(after.members)).toEqual(valuesOf(members));
      expect(after.displayName).toBe(displayName);
      await call("DELETE", `/Groups/${id}`);
    };
    await fc.assert(fc.asyncProperty(group, groupOperations, style, check), cases(300));
  });

  requirement("scim.properties", "a random filter finds the users and groups that match, and no others", async () => {
    const { call } = await startDirectory(start);
    const users = fc.sample(user, { numRuns: 12, seed: 7 });
    const userIds: string[] = [];
    for (const [at, { emails: _emails, ...more }] of users.entries()) {
      const userName = `${words[at]}${at}`;
      userIds.push(
        await createUser(call, userName, {
          ...more,
          userName,
          externalId: words[at + 3],
          emails: [{ value: `a${at}@x.example` }],
        }),
      );
    }
    const groupIds: string[] = [];
    for (const [at, name] of ["Ann", "anna", "a*b"].entries())
      groupIds.push(await createGroup(call, name, userIds.slice(at, at * 4)));
    const all = { "/Users": await readAll(call, "/Users"), "/Groups": await readAll(call, "/Groups") };
    const check = async (text: string, sortsByName: boolean) => {
      for (const [path, type] of [
        ["/Users", userType],
        ["/Groups", groupType],
      ] as const) {
        const expected = matching(type, text, all[path]);
        const answer = await call("GET", listPath(path, { filter: text, count: 1_000, ...(sortsByName && { sortBy: "id" }) }));
        if (expected === undefined) expect([text, answer.status, answer.at("scimType")]).toEqual([text, 400, "invalidFilter"]);
        else
          expect([text, answer.status, answer.at("totalResults"), idsOf(answer.at("Resources"))]).toEqual([
            text,
            200,
            expected.length,
            expected,
          ]);
      }
    };
    const text = fc.oneof(
      filters(userIds, groupIds),
      anyFilter.map((one) => one.text),
    );
    await fc.assert(fc.asyncProperty(text, fc.boolean(), check), cases(300));
  });
});

function valuesOf(members: unknown): readonly unknown[] {
  return ((members ?? []) as readonly Parts[]).map(({ value }) => value).toSorted();
}

function idsOf(resources: unknown): readonly string[] {
  return ((resources ?? []) as readonly Parts[]).map(({ id }) => String(id)).toSorted();
}

async function readAll(call: Directory["call"], path: string): Promise<readonly ScimResource[]> {
  const { Resources } = await expectStatus(call("GET", `${path}?count=1000`), 200);
  return Resources as readonly ScimResource[];
}

/** The ids of the resources that match; undefined for a filter that is none. */
function matching(type: ResourceType, text: string, resources: readonly ScimResource[]): readonly string[] | undefined {
  try {
    const filter = parseFilter(type, text);
    return idsOf(resources.filter((resource) => matches(filter, resource)));
  } catch {
    return undefined;
  }
}
