import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { type FamilyCase, familyCases, type Made, makeGroup, makeRecord, makeUser, readRecord } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

/** Everybody who is bound to another tenant than the record's: by header, and by key. */
async function strangers(world: World): Promise<Caller[]> {
  return [world.caller.inTenant(world.defaultTenantId), await callerOfTenant(world, world.defaultTenantId)];
}

function everyCall(family: FamilyCase, made: Made, caller: Caller): Promise<Answer>[] {
  const { wrapper } = family;
  return [
    ...(family.hasGet ? [caller.get(made.path)] : []),
    caller.put(made.path, made.request),
    caller.put(made.path, {}),
    caller.patch(made.path, { [wrapper]: {} }),
    caller.mergePatch(made.path, { [wrapper]: {} }),
    caller.jsonPatch(made.path, []),
    caller.put(made.path, made.request, { "if-match": "*" }),
    caller.delete(made.path),
    caller.delete(made.path + family.deleteQuery),
  ];
}

forEachStorage((start) => {
  describe.each(familyCases.filter((family) => !family.isGlobal))("$name", (family) => {
    requirement("tenant-scope.foreign", "does not find another tenant's record by any call", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const made = await makeRecord(world, family, other);
      const foreign = family.name === "tenants" ? other : made.id;
      const before = await readRecord(world, family, made);
      const place = { ...made, path: family.name === "tenants" ? `/api/tenant/${foreign}` : made.path };
      for (const caller of await strangers(world))
        for (const answer of await Promise.all(everyCall(family, place, caller))) {
          // A bound key makes and removes no tenants, whichever it is.
          const isRefused = family.name === "tenants" && answer.status === 401;
          expectEmpty(answer, isRefused ? 401 : 404);
        }
      expect(await readRecord(world, family, made)).toEqual(before);
    });

    requirement("tenant-scope.foreign", "answers a foreign and a missing record alike", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const made = await makeRecord(world, family, other);
      const missing = { ...made, path: family.takesId ? made.url(uuid(98)) : `/api/user/registration/${uuid(98)}/${uuid(97)}` };
      for (const caller of await strangers(world)) {
        const foreignAnswers = await Promise.all(everyCall(family, made, caller));
        const missingAnswers = await Promise.all(everyCall(family, missing, caller));
        expect(foreignAnswers.map(comparable)).toEqual(missingAnswers.map(comparable));
      }
    });

    requirement("tenant-scope.mismatch", "refuses a scoped key with another tenant's header on every call", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const made = await makeRecord(world, family, other);
      const before = await readRecord(world, family, made);
      const bound = await callerOfTenant(world, other);
      for (const header of [world.defaultTenantId, uuid(99)]) {
        const caller = bound.inTenant(header);
        const answers = [...everyCall(family, made, caller), caller.post(made.collection, made.body(2))];
        for (const answer of await Promise.all(answers)) expectEmpty(answer, 401);
      }
      expect(await readRecord(world, family, made)).toEqual(before);
    });

    requirement("tenant-scope.key", "lets a scoped key work in its tenant, with and without the equal header", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const bound = await callerOfTenant(world, other);
      const made = await makeRecord(world, family, other);
      const path = family.name === "tenants" ? `/api/tenant/${other}` : made.path;
      for (const caller of [bound, bound.inTenant(other), bound.inTenant(other.toUpperCase())]) {
        if (family.hasGet) expectOk(await caller.get(path));
        expectOk(await caller.put(path, made.body(7)));
        expectOk(await caller.patch(path, { [family.wrapper]: {} }));
      }
      if (family.name !== "tenants") expectEmpty(await bound.delete(path + family.deleteQuery), 200);
    });

    requirement("tenant-scope.inferred", "finds a record of any tenant without a header", async () => {
      const world = await start();
      const made = await makeRecord(world, family, await makeTenant(world, "Other"));
      if (family.hasGet) expectOk(await world.caller.get(made.path));
      expectOk(await world.caller.put(made.path, made.request));
      expectOk(await world.caller.patch(made.path, { [family.wrapper]: {} }));
      expectEmpty(await world.caller.delete(made.path + family.deleteQuery), 200);
    });

    requirement("tenant-scope.malformed", "refuses a malformed tenant header on every call", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      for (const header of ["x", `${uuid(1)}, ${uuid(1)}`, "null"]) {
        const caller = world.caller.inTenant(header);
        const answers = [...everyCall(family, made, caller), caller.post(made.collection, made.body(2))];
        for (const answer of await Promise.all(answers)) expectRefusal(answer, 400, "[couldNotConvert]X-Service-TenantId");
      }
    });

    requirement("tenant-scope.unknown", "answers 404 by id in a tenant that does not exist", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      for (const answer of await Promise.all(everyCall(family, made, world.caller.inTenant(uuid(99))))) expectEmpty(answer, 404);
    });
  });

  describe("groupMembers", () => {
    requirement(["tenant-scope.foreign", "tenant-scope.mismatch"], "keep to their tenant in every call", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const groupId = await makeGroup(world, other, "G");
      const userId = await makeUser(world, other, "a@example.com");
      const members = { [groupId]: [{ userId, id: uuid(1) }] };
      expectOk(await world.caller.post("/api/group/member", { members }));
      const before = (await world.caller.get("/api/group/member/search")).text;
      const path = "/api/group/member";
      for (const caller of await strangers(world)) {
        expectRefusal(await caller.post(path, { members }), 400, `[invalid]members[${groupId}]`);
        expectRefusal(await caller.put(path, { members: { [groupId]: [] } }), 400, `[invalid]members[${groupId}]`);
        expectEmpty(await caller.delete(`${path}/${uuid(1)}`), 404);
        expectEmpty(await caller.delete(`${path}?groupId=${groupId}&userId=${userId}`), 404);
        expectEmpty(await caller.delete(`${path}?groupId=${groupId}`), 200);
        expectEmpty(await caller.delete(path, { memberIds: [uuid(1)], members: { [groupId]: [userId] } }), 200);
        const found = await caller.post(`${path}/search`, { search: { groupId, tenantId: other } });
        expect(found.body).toEqual({ members: [], total: 0 });
      }
      const mismatched = (await callerOfTenant(world, other)).inTenant(world.defaultTenantId);
      for (const answer of [
        await mismatched.post(path, { members }),
        await mismatched.put(path, { members }),
        await mismatched.delete(`${path}/${uuid(1)}`),
        await mismatched.delete(path, { memberIds: [uuid(1)] }),
        await mismatched.get(`${path}/search`),
      ])
        expectEmpty(answer, 401);
      expect((await world.caller.get("/api/group/member/search")).text).toBe(before);
    });
  });
});

function comparable({ status, text, headers }: Answer): unknown {
  return { status, text, headers };
}
