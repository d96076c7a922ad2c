import { type Answer, expectOk } from "./answer.js";
import type { Cause, Fields } from "./event-stage.js";
import { makeGroup, makeUser } from "./families.js";
import { uuid, type World } from "./world.js";

const email = "ada@example.com";

const createGroup: Cause = async ({ world, begin }) => {
  await begin();
  return { group: expectOk(await world.caller.post("/api/group", { group: { name: "Red" } })).at("group") };
};

/** Changes an existing group. */
function groupChange(
  act: (world: World, path: string) => Promise<Answer>,
  toFields: (before: Answer, after: Answer) => Fields,
): Cause {
  return async ({ world, begin }) => {
    const path = `/api/group/${await makeGroup(world, world.defaultTenantId, "Red")}`;
    const before = expectOk(await world.caller.get(path));
    await begin();
    return toFields(before, await act(world, path));
  };
}

const renameGroup = groupChange(
  ({ caller }, path) => caller.patch(path, { group: { name: "Blue" } }),
  (before, after) => ({ group: after.at("group"), original: before.at("group") }),
);
const removeGroup = groupChange(
  ({ caller }, path) => caller.delete(path),
  (before) => ({ group: before.at("group") }),
);

/** Changes the members of a group. */
function memberChange(act: (world: World, groupId: string, userIds: readonly string[]) => Promise<unknown>): Cause {
  return async ({ world, begin }) => {
    const { caller, defaultTenantId: tenantId } = world;
    const groupId = await makeGroup(world, tenantId, "Red");
    const userIds = [await makeUser(world, tenantId, email), await makeUser(world, tenantId, "bob@example.com")];
    const member = { id: uuid(7), userId: userIds[0] };
    expectOk(await caller.post("/api/group/member", { members: { [groupId]: [member] } }));
    const before = await membersOf(world, groupId);
    await begin();
    const members = (await act(world, groupId, userIds)) ?? before;
    return { group: expectOk(await caller.get(`/api/group/${groupId}`)).at("group"), members };
  };
}

async function membersOf({ caller }: World, groupId: string): Promise<unknown> {
  return expectOk(await caller.get(`/api/group/member/search?groupId=${groupId}`)).at("members");
}

const addMember = memberChange(async (world, groupId, [, bob]) => {
  expectOk(await world.caller.post("/api/group/member", { members: { [groupId]: [{ userId: bob }] } }));
  return ((await membersOf(world, groupId)) as { readonly userId: string }[]).filter(({ userId }) => userId === bob);
});
const changeMember = memberChange(async (world, groupId, [ada]) => {
  const changed = { userId: ada, data: { since: "today" } };
  expectOk(await world.caller.put("/api/group/member", { members: { [groupId]: [changed] } }));
  return membersOf(world, groupId);
});
const removeMember = memberChange(async ({ caller }, groupId) => {
  await caller.delete(`/api/group/member?groupId=${groupId}`);
});

/** An entity without its secret, which events omit. */
function toToldEntity(answer: Answer): unknown {
  const { clientSecret: _secret, ...entity } = answer.at("entity") as Record<string, unknown>;
  return entity;
}

async function entityBody({ caller }: World): Promise<object> {
  const type = {
    id: expectOk(await caller.post("/api/entity/type", { entityType: { name: "Device" } })).textAt("entityType.id"),
  };
  return { entity: { name: "Lamp", clientSecret: "a-secret-of-the-tests", type } };
}

const createEntity: Cause = async ({ world, begin }) => {
  const body = await entityBody(world);
  await begin();
  return { entity: toToldEntity(expectOk(await world.caller.post("/api/entity", body))) };
};

/** Changes an existing entity. */
function entityChange(act: (world: World, path: string) => Promise<Answer>, isOriginalTold: boolean): Cause {
  return async ({ world, begin }) => {
    const made = expectOk(await world.caller.post("/api/entity", await entityBody(world)));
    await begin();
    const after = await act(world, `/api/entity/${made.textAt("entity.id")}`);
    return isOriginalTold ? { entity: toToldEntity(after), original: toToldEntity(made) } : { entity: toToldEntity(made) };
  };
}

const renameEntity = entityChange(({ caller }, path) => caller.patch(path, { entity: { name: "Desk lamp" } }), true);
const removeEntity = entityChange(({ caller }, path) => caller.delete(path), false);

/** The causes of events of groups, members and entities. */
export const groupAndEntityCauses: Readonly<Record<string, Cause>> = {
  "entity.create": createEntity,
  "entity.delete": removeEntity,
  "entity.update": renameEntity,
  "group.create": createGroup,
  "group.delete": removeGroup,
  "group.member.add": addMember,
  "group.member.remove": removeMember,
  "group.member.update": changeMember,
  "group.update": renameGroup,
};
