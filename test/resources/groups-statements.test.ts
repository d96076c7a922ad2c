import { memoryStorage } from "latchkey/memory";
import type { Storage } from "latchkey/ports";
import { expect, test } from "vitest";
import { stopMonotonicClock } from "../support/monotonic-clock.js";
import { watchStorage } from "../support/watched-storage.js";
import { startWorld, uuid, type World } from "../support/world.js";

/** A storage that notes each call inside a transaction. */
function noteStatements(): { readonly storage: Storage; readonly statements: string[] } {
  stopMonotonicClock();
  const statements: string[] = [];
  return { storage: watchStorage(memoryStorage(), { onStatement: (statement) => void statements.push(statement) }), statements };
}

async function patchedGroup(world: World, statements: string[], roleIds: readonly string[]): Promise<readonly string[]> {
  const groupId = uuid(90);
  const made = await world.caller.post(`/api/group/${groupId}`, { group: { name: "Editors" }, roleIds });
  expect(made.status).toBe(200);
  statements.length = 0;
  expect((await world.caller.patch(`/api/group/${groupId}`, { group: { data: { step: 1 } } })).status).toBe(200);
  return statements;
}

test("PATCH of a group without roles reads, checks and writes the group and its event, and no role", async () => {
  const { storage, statements } = noteStatements();
  const world = await startWorld(storage);
  expect(await patchedGroup(world, statements, [])).toEqual([
    "retrieve groups",
    "retrieve tenants",
    "update groups",
    "insert events",
  ]);
});

test("PATCH of a group with roles shows them in the answer and keeps them", async () => {
  const { storage, statements } = noteStatements();
  const world = await startWorld(storage);
  const [applicationId, roleId] = [uuid(91), uuid(92)];
  const application = { name: "Desk", roles: [{ id: roleId, name: "editor" }] };
  expect((await world.caller.post(`/api/application/${applicationId}`, { application })).status).toBe(200);
  expect(await patchedGroup(world, statements, [roleId])).toContain("insert groupRoles");
  const answer = await world.caller.get(`/api/group/${uuid(90)}`);
  expect(answer.at(`group.roles.${applicationId}.0.id`)).toBe(roleId);
});
