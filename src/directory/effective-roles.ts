import type { Directory, DirectoryContext } from "../ports/directory.js";
import type { Filter, StoredRecord } from "../ports/storage.js";
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
  const carriers = await context.reader.find(context.scope, groupRolesTable, carriedFor(userId));
  const roleIds = [...new Set(carriers.map(roleIdOf))];
  const carried = roleIds.length === 0 ? [] : await directory.findRoles(context, { roleIds });
  const names = carried.filter((role) => role.applicationId === applicationId).map((role) => role.name);
  const unique = new Map([...registration.roles, ...names].map((name) => [foldText(name), name]));
  return [...unique.values()].sort();
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

function roleIdOf({ json }: StoredRecord): string {
  return (JSON.parse(json) as { readonly roleId: string }).roleId;
}
