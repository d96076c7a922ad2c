// Users and groups of a service, written as SCIM resources and shown as such.
import { createIdentityService, type IdentityService } from "latchkey";
import type { Storage } from "latchkey/ports";
import type { Group, User } from "latchkey/types";
import { toGroupChange, toScimGroup } from "../../../adapters/scim/mapping/groups.js";
import { toScimUser } from "../../../adapters/scim/mapping/show-user.js";
import { toUserChange } from "../../../adapters/scim/mapping/user-change.js";
import { enterpriseSchemaId, groupType, type ScimResource, userType } from "../../../adapters/scim/schema/schemas.js";
import { foldText } from "../../../src/shared/text.js";
import { Caller } from "../../support/caller.js";
import { fc } from "../../support/properties.js";
import { bootstrapKey, testSecret } from "../../support/world.js";
import { searchable, words } from "./random-searches.js";

/** A service with users and groups. */
export interface Population {
  readonly identity: IdentityService;
  /** Calls over HTTP: calls in process know no criteria for members of `data`. */
  readonly caller: Caller;
  /** Users by id as SCIM resources. */
  readonly users: ReadonlyMap<string, ScimResource>;
  /** Groups by id as SCIM resources. */
  readonly groups: ReadonlyMap<string, ScimResource>;
}

const word = fc.constantFrom(...words);

const parts = fc.record(
  {
    externalId: word,
    title: word,
    displayName: word,
    name: fc.record(
      { givenName: word, familyName: word, formatted: word, middleName: word, honorificPrefix: word },
      { requiredKeys: [] },
    ),
    phoneNumbers: fc.array(fc.record({ value: word }), { minLength: 1, maxLength: 2 }),
    [enterpriseSchemaId]: fc.record({ department: word, manager: fc.record({ value: word }) }, { requiredKeys: [] }),
    active: fc.boolean(),
    hasUsername: fc.boolean(),
    isAddress: fc.boolean(),
  },
  { requiredKeys: ["hasUsername", "isAddress"] },
);

/** Starts a service with 40 users, some without username, and 6 groups. */
export async function populate(storage: Storage, seed: number): Promise<Population> {
  const searchableData = { users: searchable, groups: ["scim.externalId"] };
  const identity = await createIdentityService({
    storage,
    apiKey: bootstrapKey,
    secret: testSecret,
    delivery: false,
    searchableData,
  });
  const userIds: string[] = [];
  for (const [index, { hasUsername, isAddress, ...resource }] of fc.sample(parts, { numRuns: 40, seed }).entries()) {
    const address = `${isAddress ? "a" : "S"}${index === 0 ? "" : index}@x.example`;
    const userName = isAddress ? address : nameOf(index);
    const { user, active } = toUserChange(userType, { ...resource, userName, emails: [{ value: address }] });
    const { username, ...others } = user;
    const created = await identity.users.create({ user: hasUsername ? { ...others, username: String(username) } : others });
    userIds.push(created.user.id);
    if (active === false) await identity.users.remove({ userId: created.user.id });
  }
  const groups = await createGroups(identity, userIds);
  const caller = new Caller(identity, { Authorization: bootstrapKey });
  return { identity, caller, groups, users: await showUsers(identity, groups) };
}

// Usernames are unique without case, so a word that was there already has a number behind it.
function nameOf(index: number): string {
  const word = words[index % words.length] ?? "";
  const isFirst = words.slice(0, index).every((earlier) => foldText(earlier) !== foldText(word));
  return isFirst ? word : `${word}${index}`;
}

async function createGroups(identity: IdentityService, userIds: readonly string[]): Promise<ReadonlyMap<string, ScimResource>> {
  const groups = new Map<string, ScimResource>();
  for (const [index, displayName] of ["Ann", "anna", "a*b", "\u017fam", "MÜLLER", "50%_\\"].entries()) {
    const { group } = toGroupChange(groupType, { displayName, externalId: words[index * 2] });
    const created = await identity.groups.create({ group });
    const members = userIds.filter((_, at) => at % (index + 2) === 0);
    await identity.groupMembers.add({ members: { [created.group.id]: members.map((userId) => ({ userId })) } });
    groups.set(created.group.id, showGroup(created.group, members));
  }
  return groups;
}

function showGroup(group: Group, members: readonly string[]): ScimResource {
  const location = `https://id.example/Groups/${group.id}`;
  return toScimGroup(group, { location, type: groupType, members: members.map((value) => ({ value, location: "" })) });
}

async function showUsers(
  identity: IdentityService,
  groups: ReadonlyMap<string, ScimResource>,
): Promise<ReadonlyMap<string, ScimResource>> {
  const { users } = await identity.users.search({ search: { query: { match_all: {} }, numberOfResults: 1000 } });
  return new Map(users.map((user) => [user.id, showUser(user, groups)] as const));
}

function showUser(user: User, groups: ReadonlyMap<string, ScimResource>): ScimResource {
  const memberOf = user.memberships.map(({ groupId = "" }) => ({
    id: groupId,
    name: String(groups.get(groupId)?.displayName),
    location: `https://id.example/Groups/${groupId}`,
  }));
  return toScimUser(user, { location: `https://id.example/Users/${user.id}`, type: userType, groups: memberOf });
}
