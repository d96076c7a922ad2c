import type { Directory, DirectoryContext } from "../ports/directory.js";
import type { StoredRecord } from "../ports/storage.js";
import { groupMembersTable } from "../resources/group-members/table.js";
import { groupRolesTable } from "../resources/groups/table.js";
import { foldText } from "../values/fold-text.js";

/**
 * The names of the roles that a user has in an application: those of the registration and those that the user's groups
 * carry, in order of name. None without a registration (facts.md 4.4). A constant number of statements, however many groups.
 */
export async function findEffectiveRoles(
  directory: Directory,
  context: DirectoryContext,
  userId: string,
  applicationId: string,
): Promise<readonly string[]> {
  const registrations = await directory.findRegistrations(context, [userId]);
  const registration = registrations.find((candidate) => candidate.applicationId === applicationId);
  if (registration === undefined) return [];
  const groupIds = await findIds(context, groupMembersTable, "userId", [userId], "groupId");
  const roleIds = groupIds.length === 0 ? [] : await findIds(context, groupRolesTable, "groupId", groupIds, "roleId");
  const carried = roleIds.length === 0 ? [] : await directory.findRoles(context, { roleIds });
  const names = carried.filter((role) => role.applicationId === applicationId).map((role) => role.name);
  const unique = new Map([...registration.roles, ...names].map((name) => [foldText(name), name]));
  return [...unique.values()].sort();
}

async function findIds(
  context: DirectoryContext,
  table: Parameters<DirectoryContext["reader"]["find"]>[1],
  column: string,
  values: readonly string[],
  member: "groupId" | "roleId",
): Promise<readonly string[]> {
  const found = await context.reader.find(context.scope, table, { op: "in", column, values });
  return [...new Set(found.map((record) => memberOf(record, member)))];
}

function memberOf(record: StoredRecord, member: "groupId" | "roleId"): string {
  return (JSON.parse(record.json) as Readonly<Record<typeof member, string>>)[member];
}
