import { globalScope, type RecordToStore } from "latchkey/ports";
import { toCanonicalJson } from "../../src/json/canonical-json.js";
import { applicationsTable } from "../../src/records/applications/family.js";
import { groupMembersTable } from "../../src/records/group-members/family.js";
import { groupsTable } from "../../src/records/groups/family.js";
import { registrationsTable } from "../../src/records/registrations/family.js";
import { usersTable } from "../../src/records/users/family.js";
import { uuid, type World } from "./world.js";

/** The ids of {@link fillCrowd}. */
export const crowd: { readonly group: string; readonly application: string } = { group: uuid(700), application: uuid(701) };

/** Fills a tenant with users, all members of one group and registered to one application. Writes to the storage, which is fast. */
export async function fillCrowd({ storage }: Pick<World, "storage">, tenantId: string, size: number): Promise<void> {
  const toRecord = (json: { readonly id: string }, columns: RecordToStore["columns"], hidden?: object): RecordToStore => {
    const instants = { insertInstant: 1, lastUpdateInstant: 1 };
    const texts = { json: toCanonicalJson({ ...json, ...instants }), hidden: hidden ? toCanonicalJson(hidden) : null };
    return { id: json.id, tenantId, version: 1, ...instants, ...texts, columns };
  };
  const { group: groupId, application: applicationId } = crowd;
  const indexes = Array.from({ length: size }, (_, index) => index);
  await storage.transaction(async (tx) => {
    const group = { id: groupId, name: "Crowd", data: {}, roles: {}, tenantId };
    await tx.insert(globalScope, groupsTable, [toRecord(group, { nameFolded: "crowd" })]);
    const application = { id: applicationId, name: "Shop", tenantId, jwtConfiguration: {}, state: "Active" };
    await tx.insert(globalScope, applicationsTable, [toRecord(application, { nameFolded: "shop", state: "Active" })]);
    const users = indexes.map((index) => toRecord({ id: userOf(index), ...userFields(tenantId) }, userColumns));
    await tx.insert(globalScope, usersTable, users);
    const registrations = indexes.map((index) => {
      const columns = { userId: userOf(index), applicationId, moderationId: null };
      return toRecord({ id: uuid(20_000 + index), ...{ applicationId, roles: [] } }, columns, { userId: userOf(index) });
    });
    await tx.insert(globalScope, registrationsTable, registrations);
    const members = indexes.map((index) => {
      const columns = { userId: userOf(index), groupId };
      return toRecord({ id: uuid(40_000 + index), ...columns, ...{ data: {} } }, columns);
    });
    await tx.insert(globalScope, groupMembersTable, members);
  });
}

function userOf(index: number): string {
  return uuid(60_000 + index);
}

function userFields(tenantId: string): object {
  return { active: true, memberships: [], registrations: [], tenantId };
}

const names = ["email", "usernameFolded", "firstNameFolded", "lastNameFolded", "fullNameFolded", "mobilePhone", "birthDate"];
const userColumns: RecordToStore["columns"] = {
  ...Object.fromEntries(names.map((name) => [name, null])),
  active: true,
  moderationId: null,
};
