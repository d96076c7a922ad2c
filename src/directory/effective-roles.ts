import type { Directory, DirectoryContext } from "../ports/directory.js";
import type { Filter } from "../ports/storage.js";
import { groupMembersTable } from "../resources/group-members/family.js";
import { groupRolesTable } from "../resources/groups/family.js";
import { foldText } from "../shared/text.js";

/**
 * The names of the roles that a user has in an application: those of the registration and those that the user's groups
 * carry, in order of name. None without a registration (docs/reference/groups.md#role-inheritance). A constant number of statements, however many groups.
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
  const carried = await context.reader.findIds(context.scope, groupRolesTable, "roleId", carriedFor(userId));
  const roles = carried.length === 0 ? [] : await directory.findRoles(context, { roleIds: [...new Set(carried)] });
  const names = new Map<string, string>();
  for (const name of registration.roles) names.set(foldText(name), name);
  for (const role of roles) if (role.applicationId === applicationId) names.set(foldText(role.name), role.name);
  return [...names.values()].sort();
}

// The roles of the groups that the user is in, in one statement.
function carriedFor(userId: string): Filter {
  const filter: Filter = { op: "equals", column: "userId", value: userId };
  return {
    op: "exists",
    table: groupMembersTable.name,
    localColumn: "groupId",
    foreignColumn: "groupId",
    filter,
    isNarrow: true,
  };
}
