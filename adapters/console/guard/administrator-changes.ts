import type { ApiRequest } from "latchkey/ports";
import type { User } from "latchkey/types";
import { type ConsoleApplication, consoleApplicationId } from "../sign-in/administrators.js";
import type { SessionContext } from "../sign-in/sign-in.js";
import { findOptional, findOwners } from "./record-owners.js";
import { readUserReferences, type UserReferences } from "./user-references.js";

const maxIds = 500;

/** Only bodies of imports have more. */
const maxNames = 20;

const loginMembers: ReadonlySet<string> = new Set(["loginId", "email", "username", "phoneNumber"]);

/** Not parsed: these bodies can be as long as a whole storage. */
const bulkPath = /^\/api\/user\/(?:bulk|import|refresh-token\/import)(?:\/|$)/;

/** Endpoints that show or export secrets. */
const secretPath = /^\/api\/(?:api-key|user\/export|user\/two-factor\/recovery-code)(?:\/|$)/;

/** Whether a call shows secrets, or may change too many records to check each. */
export function isGuarded({ path }: ApiRequest): boolean {
  return secretPath.test(path) || bulkPath.test(path);
}

/** The services for the check of a write. */
export interface ChangeContext extends Pick<SessionContext, "identity" | "reader"> {
  /** Undefined before the first administrator exists. */
  readonly application: ConsoleApplication | undefined;
}

/**
 * Whether a write concerns administrators: it names the console's application or one of its roles, a user registered to it, a
 * record of such a user, or a group with its roles. `text` is the body; an unread body (undefined) counts as yes.
 */
export async function changesAdministrators(
  context: ChangeContext,
  request: ApiRequest,
  text: string | undefined,
): Promise<boolean> {
  const said = text === undefined ? undefined : readUserReferences(context.identity.endpoints, request, text);
  if (said === undefined || endsTenant(context, request, said)) return true;
  const { ids, named } = said;
  const own = [consoleApplicationId, ...(context.application?.roleIds ?? [])];
  const loginIds = new Set(named.flatMap(([name, value]) => (loginMembers.has(name) ? [value] : [])));
  if (own.some((id) => ids.includes(id)) || ids.length > maxIds || loginIds.size > maxNames) return true;
  const owners = await findOwners(context.reader, request, named);
  if (owners === undefined || (await holdsUser(context, [...new Set([...ids, ...owners])]))) return true;
  return (await namesUser(context, loginIds)) || (await namesGroup(context, request.path, ids));
}

// Deleting their tenant deletes the administrators.
function endsTenant({ application }: ChangeContext, { method, path }: ApiRequest, { ids }: UserReferences): boolean {
  const isRemoval = method === "DELETE" && /^\/api\/tenant(?:\/|$)/.test(path);
  return isRemoval && application !== undefined && ids.includes(application.tenantId);
}

async function holdsUser({ reader }: ChangeContext, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const { users } = await reader.users.search({ search: { ids: [...ids], numberOfResults: ids.length } });
  return users.some(isAdministrator);
}

function isAdministrator({ registrations }: Pick<User, "registrations">): boolean {
  return registrations.some(({ applicationId }) => applicationId === consoleApplicationId);
}

async function namesGroup({ reader }: ChangeContext, path: string, ids: readonly string[]): Promise<boolean> {
  if (!/^\/api\/group(?:\/|$)/.test(path)) return false;
  for (const groupId of ids) {
    const found = await findOptional(reader.groups.retrieve({ groupId }));
    if (found !== undefined && Object.hasOwn(found.group.roles, consoleApplicationId)) return true;
  }
  return false;
}

async function namesUser({ application, reader }: ChangeContext, loginIds: ReadonlySet<string>): Promise<boolean> {
  if (application === undefined) return false;
  // A search returns the first match only, so each type is searched separately.
  for (const loginId of loginIds)
    for (const type of ["email", "username", "phoneNumber"] as const) {
      const asked = reader.users.find({ loginId, loginIdTypes: [type] }, { tenantId: application.tenantId });
      const answer = await findOptional(asked);
      if (answer !== undefined && isAdministrator(answer.user)) return true;
    }
  return false;
}
