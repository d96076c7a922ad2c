import { describe, expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { makeApplication, makeGroup, makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { watchStorage } from "../support/watched-storage.js";
import { readEvents, startWorld, storages } from "../support/world.js";

describe.each(storages)("the outbox on %s", (_name, open) => {
  requirement("service.outbox", "holds an event when its change was acknowledged, and none for a refused one", async () => {
    const world = await startWorld(open());
    const groupId = await makeGroup(world, world.defaultTenantId, "G");
    const before = await readEvents(world.storage);
    expect(before.map((event) => event.type).sort()).toEqual(["group.create", "group.create.complete"]);
    const path = `/api/group/${groupId}`;
    await world.caller.post("/api/group", { group: { name: "g" } });
    await world.caller.put(path, { group: {} });
    await world.caller.patch(path, { group: { name: 7 } });
    await world.caller.put(path, { group: { name: "H" } }, { "if-match": '"stale"' });
    await world.caller.jsonPatch(path, [{ op: "test", path: "/group/name", value: "other" }]);
    await world.caller.delete("/api/group/nonsense");
    expect(await readEvents(world.storage)).toEqual(before);
  });

  requirement("service.outbox", "loses the event together with a change whose transaction fails", async () => {
    let fails = false;
    // The change is written first and its event last: the failure comes in between.
    const storage = watchStorage(open(), {
      onWrite: (record) => {
        if (fails && record.columns.type === "group.create") throw new Error("The disk is full.");
      },
    });
    const world = await startWorld(storage);
    fails = true;
    expect((await world.caller.post("/api/group", { group: { name: "G" } })).status).toBe(500);
    fails = false;
    expect((await world.caller.get("/api/group")).at("groups")).toEqual([]);
    expect(await readEvents(storage)).toEqual([]);
    await makeGroup(world, world.defaultTenantId, "G");
    expect(await readEvents(storage, "group.create")).toHaveLength(1);
  });

  requirement("service.outbox", "gives each event an id of its own, an instant, its tenant and its subject", async () => {
    const world = await startWorld(open());
    const applicationId = await makeApplication(world, world.defaultTenantId, "A");
    const userId = await makeUser(world, world.defaultTenantId, "a@example.com");
    const groupId = await makeGroup(world, world.defaultTenantId, "G");
    expectOk(await world.caller.post(`/api/user/registration/${userId}`, { registration: { applicationId } }));
    expectOk(await world.caller.post("/api/group/member", { members: { [groupId]: [{ userId }] } }));
    const events = await readEvents(world.storage);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
    expect(events).toHaveLength(8);
    for (const event of events) {
      expect(event).toMatchObject({ createInstant: world.clock.instant, tenantId: world.defaultTenantId });
      expect(event.linkedObjectId).toBe(event.type.startsWith("user.") ? userId : groupId);
    }
  });
});
