import type {
  Directory,
  DirectoryApplication,
  DirectoryContext,
  DirectoryRegistration,
  DirectoryRole,
  DirectoryUser,
} from "../ports/directory.js";
import { type Filter, globalScope, type StoredRecord, type Table } from "../ports/storage.js";
import { applicationRolesTable } from "../records/application-roles/family.js";
import { applicationsTable } from "../records/applications/family.js";
import { groupMembersTable } from "../records/group-members/family.js";
import { groupRolesTable } from "../records/groups/family.js";
import { registrationsTable } from "../records/registrations/family.js";
import { usersTable } from "../records/users/family.js";
import { foldText } from "../shared/text.js";

/** The default directory, on the service's own tables. */
export const storedDirectory: Directory = {
  async findUsers(context, userIds) {
    const found = await findIn(context, usersTable, "id", userIds);
    return found.map((user) => ({ ...(JSON.parse(user.json) as DirectoryUser), tenantId: user.tenantId ?? "" }));
  },
  async findApplications(context, applicationIds) {
    const found = await findIn(context, applicationsTable, "id", applicationIds);
    return found.map((application) => JSON.parse(application.json) as DirectoryApplication);
  },
  async findRoles(context, by) {
    const [column, ids] = "roleIds" in by ? ["id", by.roleIds] : ["applicationId", by.applicationIds];
    return (await findIn(context, applicationRolesTable, column, ids)).map(toDirectoryRole);
  },
  async findRegistrations(context, userIds) {
    const found = await findIn(context, registrationsTable, "userId", userIds);
    return found.map((registration) => {
      const { userId } = hiddenOf<{ userId: string }>(registration);
      return { ...(JSON.parse(registration.json) as DirectoryRegistration), userId };
    });
  },
};

async function findIn(
  context: DirectoryContext,
  table: Table,
  column: string,
  values: readonly string[] | undefined,
): Promise<readonly StoredRecord[]> {
  const { reader, scope } = context;
  const filter: Filter | undefined = values && { op: "in", column, values };
  if (filter === undefined || column !== "id" || scope.kind === "global") return reader.find(scope, table, filter);
  // With a tenant condition, the database might scan the whole tenant for a few ids.
  const found = await reader.find(globalScope, table, filter);
  return found.filter((record) => record.tenantId === scope.tenantId);
}

function toDirectoryRole(role: StoredRecord): DirectoryRole {
  const { applicationId } = hiddenOf<{ applicationId: string }>(role);
  return { ...JSON.parse(role.json), applicationId, tenantId: role.tenantId ?? "" };
}

function hiddenOf<Hidden>(record: StoredRecord): Hidden {
  return JSON.parse(record.hidden ?? "{}") as Hidden;
}

/** The user and application to find roles for. */
interface RoleOwner {
  readonly userId: string;
  readonly applicationId: string;
  readonly registration?: Pick<DirectoryRegistration, "roles"> | undefined;
}

/** Finds the registration of a user to an application; undefined for none. */
export async function findRegistration(
  directory: Directory,
  context: DirectoryContext,
  { applicationId, userId }: Pick<RoleOwner, "applicationId" | "userId">,
): Promise<DirectoryRegistration | undefined> {
  const registrations = await directory.findRegistrations(context, [userId]);
  return registrations.find((candidate) => candidate.applicationId === applicationId);
}

/**
 * Returns the names of a user's roles in an application, sorted: those of the registration and of the user's groups. None without
 * a registration (docs/reference/groups.md#role-inheritance). The number of queries is constant. `registration`: the
 * registration, if already read.
 */
export async function findEffectiveRoles(
  directory: Directory,
  context: DirectoryContext,
  { applicationId, registration: known, userId }: RoleOwner,
): Promise<readonly string[]> {
  const registration = known ?? (await findRegistration(directory, context, { applicationId, userId }));
  if (registration === undefined) return [];
  const carried = await context.reader.findIds(context.scope, groupRolesTable, "roleId", carriedFor(userId));
  const roles = carried.length === 0 ? [] : await directory.findRoles(context, { roleIds: [...new Set(carried)] });
  const names = new Map<string, string>();
  for (const name of registration.roles) names.set(foldText(name), name);
  for (const role of roles) if (role.applicationId === applicationId) names.set(foldText(role.name), role.name);
  return [...names.values()].sort();
}

// The roles of the user's groups, in one query.
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
