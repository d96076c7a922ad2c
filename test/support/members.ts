import { expectOk } from "./answer.js";
import type { Caller } from "./caller.js";
import { makeGroup, makeUser } from "./families.js";
import { type Start, uuid, type World } from "./world.js";

export const memberPath = "/api/group/member";

/** A service with two groups and three users of one tenant. */
export interface Club {
  readonly world: World;
  readonly caller: Caller;
  readonly red: string;
  readonly blue: string;
  readonly ann: string;
  readonly bob: string;
  readonly cy: string;
}

export async function startClub(start: Start): Promise<Club> {
  const world = await start();
  const { defaultTenantId: tenantId } = world;
  const red = await makeGroup(world, tenantId, "Red");
  const blue = await makeGroup(world, tenantId, "Blue");
  const [ann = "", bob = "", cy = ""] = await Promise.all(
    ["ann", "bob", "cy"].map((name) => makeUser(world, tenantId, `${name}@example.com`)),
  );
  return { world, caller: world.caller, red, blue, ann, bob, cy };
}

/** The members of a group, in order of joining. */
export async function usersIn(club: Club, groupId: string): Promise<unknown[]> {
  return expectOk(await club.caller.get(`${memberPath}/search?groupId=${groupId}`)).each("members", "userId");
}

/** Adds all three users to both groups; memberships have the ids uuid(1) to uuid(6), the red ones first. */
export async function fillClub({ caller, red, blue, ann, bob, cy }: Club): Promise<void> {
  const members = (first: number): object[] => [ann, bob, cy].map((userId, index) => ({ userId, id: uuid(first + index) }));
  expectOk(await caller.post(memberPath, { members: { [red]: members(1), [blue]: members(4) } }));
}
