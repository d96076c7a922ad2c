import { globalScope } from "latchkey/ports";
import { usersTable } from "../../src/records/users/family.js";
import { expectOk } from "./answer.js";
import { makeGroup, makeUser } from "./families.js";
import { memberPath } from "./members.js";
import { makeTenant, readEvents, type Start, type World } from "./world.js";

/** A group for very many members, and possible members. */

/** Copies of a user of the API, inserted through the storage: calls would take minutes. */
async function makeUsers(world: World, tenantId: string, ids: readonly string[]): Promise<void> {
  const { storage } = world;
  const id = await makeUser(world, tenantId, "template@example.com");
  const template = await storage.retrieve(globalScope, usersTable, id);
  const json = template?.json ?? "";
  const columns = Object.fromEntries(Object.keys(usersTable.columns).map((column) => [column, null]));
  const records = ids.map((userId, index) => ({
    ...{ id: userId, tenantId, version: 1, insertInstant: 0, lastUpdateInstant: 0, hidden: template?.hidden ?? null },
    json: json.replaceAll(id, userId).replaceAll("template@", `${index}@`),
    columns: { ...columns, active: true, email: `${index}@example.com` },
  }));
  await storage.transaction((tx) => tx.insert(globalScope, usersTable, records));
}

/** A group and its service. */
export interface Crowd {
  readonly world: World;
  readonly tenantId: string;
  readonly group: string;
}

/** Starts a service with these users and an empty group. */
export async function startCrowd(start: Start, ids: readonly string[], isElsewhere = false): Promise<Crowd> {
  const world = await start({ maxBodyBytes: 16_000_000 });
  const tenantId = isElsewhere ? await makeTenant(world, "Elsewhere") : world.defaultTenantId;
  await makeUsers(world, tenantId, ids);
  return { world, tenantId, group: await makeGroup(world, tenantId, "Crowd") };
}

/** A member in a request. */
export interface Named {
  readonly userId: string;
  readonly id?: string | undefined;
  readonly data?: object | undefined;
}

/** A member in a response. */
export type Shown = Required<Named> & { readonly insertInstant: number };

/** Members, in the order of their users. */
export async function readMembers({ world, group }: Crowd): Promise<readonly Shown[]> {
  const found = expectOk(await world.caller.get(`${memberPath}/search?groupId=${group}&orderBy=userId`)).at("members");
  return (found as (Shown & { groupId: string })[]).map(({ groupId: _group, ...member }) => member);
}

/** The users in the events of each type. */
export async function readChanges({ storage }: World): Promise<Record<string, readonly string[]>> {
  const changes: Record<string, readonly string[]> = {};
  for (const { type, members } of await readEvents(storage))
    if (type.startsWith("group.member.") && !type.endsWith(".complete"))
      changes[type] = [...(changes[type] ?? []), ...sortedUsers(members as Shown[])];
  return changes;
}

/** The users of members. */
export const usersOf = (members: readonly Shown[]): readonly string[] => members.map(({ userId }) => userId);
/** The same, sorted. */
export const sortedUsers = (members: readonly Shown[]): readonly string[] => usersOf(members).toSorted();
