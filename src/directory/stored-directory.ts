import type {
  Directory,
  DirectoryApplication,
  DirectoryContext,
  DirectoryRegistration,
  DirectoryRole,
  DirectoryUser,
} from "../ports/directory.js";
import { type Filter, globalScope, type StoredRecord, type Table } from "../ports/storage.js";
import { applicationRolesTable } from "../resources/application-roles/family.js";
import { applicationsTable } from "../resources/applications/family.js";
import { registrationsTable } from "../resources/registrations/family.js";
import { usersTable } from "../resources/users/family.js";

/** The directory that answers from the service's own tables: the default. */
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
  // With the tenant as a condition the database might scan the whole tenant for a few ids.
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
