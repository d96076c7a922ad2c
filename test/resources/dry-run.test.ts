import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { tables } from "../../src/families/index.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { callerFor, familyCases, makeGroup, makeRecord, makeUser, withoutGenerated } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

/** Everything that is kept, in all tables, the outbox among them. */
async function readAll({ storage }: World): Promise<unknown> {
  return Promise.all(tables.map(async (table) => [table.name, await storage.find(globalScope, table, undefined)]));
}

forEachStorage((start) => {
  describe.each(familyCases)("$name", (family) => {
    const { wrapper } = family;

    requirement(
      ["dry-run.answers", "dry-run.stores-nothing"],
      "answers a POST as if it were stored, and stores nothing",
      async () => {
        const world = await start();
        const place = await family.arrange(world, world.defaultTenantId);
        const before = await readAll(world);
        const path = family.takesId ? `${place.collection}/${uuid(5)}` : place.collection;
        const dry = expectOk(await world.caller.post(`${path}?dryRun=true`, place.body(1)));
        expect(await readAll(world)).toEqual(before);
        const real = expectOk(await world.caller.post(path, place.body(1)));
        const generated = { key: "", ...(family.takesId ? {} : { id: "" }) };
        const comparable = (value: unknown): object => ({ ...withoutGenerated(family, value), ...generated });
        expect(comparable(dry.at(wrapper))).toEqual(comparable(real.at(wrapper)));
      },
    );

    requirement(["dry-run.answers", "dry-run.stores-nothing"], "answers PUT, PATCH and DELETE and changes nothing", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const before = await readAll(world);
      world.clock.advance(1_000);
      const body = { ...made.request, [wrapper]: { ...made.body(3)[wrapper] } };
      const put = expectOk(await world.caller.put(`${made.path}?dryRun=true`, body));
      expect(put.at(`${wrapper}.lastUpdateInstant`)).toBe(world.clock.instant);
      const [field = ""] = family.textField;
      expectOk(await world.caller.patch(`${made.path}?dryRun=true`, { [wrapper]: { [field]: family.texts[0] } }));
      expectOk(await world.caller.mergePatch(`${made.path}?dryRun=true`, body));
      expectOk(await world.caller.jsonPatch(`${made.path}?dryRun=true`, []));
      const query = family.deleteQuery === "" ? "?" : `${family.deleteQuery}&`;
      expectEmpty(await world.caller.delete(`${made.path}${query}dryRun=true`), 200);
      expectEmpty(await world.caller.delete(`${made.path}?dryRun=true`), 200);
      expect(await readAll(world)).toEqual(before);
      expect(expectOk(await world.caller.put(made.path, body)).at(wrapper)).toEqual(put.at(wrapper));
    });

    requirement("dry-run.answers", "refuses what a real call would refuse", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const before = await readAll(world);
      const [field = ""] = family.textField;
      const wrong = { [wrapper]: { ...made.request[wrapper], [field]: 7 } };
      const code = `[invalidJSON]${wrapper}.${field}`;
      expectRefusal(await world.caller.put(`${made.path}?dryRun=true`, wrong), 400, code);
      expectRefusal(await world.caller.patch(`${made.path}?dryRun=true`, { [wrapper]: { [field]: 7 } }), 400, code);
      if (family.takesId) {
        const caller = callerFor(world, family);
        const again = await caller.post(`${made.collection}/${made.id}?dryRun=true`, made.body(2));
        expectRefusal(again, 400, `[duplicate]${family.idParameter}`);
        expectEmpty(await caller.put(`${made.url(uuid(9))}?dryRun=true`, made.request), 404);
      }
      expect(await readAll(world)).toEqual(before);
    });
  });

  describe("groupMembers", () => {
    requirement(
      ["dry-run.answers", "dry-run.stores-nothing"],
      "answers POST, PUT and each DELETE and changes nothing",
      async () => {
        const world = await start();
        const { caller, defaultTenantId } = world;
        const groupId = await makeGroup(world, defaultTenantId, "G");
        const userId = await makeUser(world, defaultTenantId, "a@example.com");
        const another = await makeUser(world, defaultTenantId, "b@example.com");
        const members = { [groupId]: [{ userId, id: uuid(1) }] };
        expectOk(await caller.post("/api/group/member", { members }));
        const before = await readAll(world);
        const path = "/api/group/member?dryRun=true";
        const added = expectOk(await caller.post(path, { members: { [groupId]: [{ userId: another, id: uuid(2) }] } }));
        expect(added.each(`members.${groupId}`, "userId")).toEqual([another]);
        expectOk(await caller.put(path, { members: { [groupId]: [] } }));
        expectEmpty(await caller.delete(`/api/group/member/${uuid(1)}?dryRun=true`), 200);
        expectEmpty(await caller.delete(`${path}&groupId=${groupId}&userId=${userId}`), 200);
        expectEmpty(await caller.delete(`${path}&groupId=${groupId}`), 200);
        expectEmpty(await caller.delete(path, { memberIds: [uuid(1)], members: { [groupId]: [userId] } }), 200);
        expect(await readAll(world)).toEqual(before);
      },
    );
  });
});
