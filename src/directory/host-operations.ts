import { fieldError, generalError } from "../errors/identity-error.js";
import type { OperationResult } from "../http/transport/write-response.js";
import { toCanonicalJson } from "../json/canonical-json.js";
import { optionalId, requireId } from "../operations/family/record-steps.js";
import { type AnyOperation, defineOperation, directoryContext, type OperationCall } from "../operations/operation.js";
import type { DirectoryApplication, DirectoryUser } from "../ports/directory.js";
import { groupMembersTable } from "../records/group-members/family.js";
import { equalsFilter } from "../search/parse-criteria.js";
import { etagOfText } from "../shared/text.js";

/** The families whose records are in a host's directory, and logins, which are the host's business. */
const directoryFamilies =
  /^(users|registrations|applications|applicationRoles|logins|verifications|passwordless)\.|^(jwt\.refresh|oauth2\.userInfo|identityProviders\.(start|login|reconcile))$/;

const reads: Readonly<Record<string, (call: OperationCall) => Promise<OperationResult>>> = {
  "users.retrieve": retrieveUser,
  "users.find": retrieveUser,
  "applications.retrieve": retrieveApplication,
  "applications.list": listApplications,
  "registrations.retrieve": retrieveRegistration,
};

/**
 * Adapts an operation to a host's directory: reads of users, applications and registrations query the directory, and writes and
 * searches of these are refused with 405. Other operations stay as they are.
 */
export function serveFromDirectory(operation: AnyOperation): AnyOperation {
  if (!directoryFamilies.test(operation.name)) return operation;
  const read = reads[operation.name] ?? refuse;
  return defineOperation(operation.name, operation.parameters, read, operation.bodyKinds);
}

function refuse(): Promise<OperationResult> {
  return Promise.reject(generalError("methodNotAllowed"));
}

async function retrieveUser(call: OperationCall): Promise<OperationResult> {
  const named = optionalId(call, "userId");
  const own = call.principal?.kind === "user" ? call.principal.userId : undefined;
  const id = named ?? own;
  if (own !== undefined && id !== own) throw generalError("notFound");
  if (id === undefined) throw fieldError("missing", "userId");
  const user = await findSeen(call, await call.service.directory.findUsers(directoryContext(call), [id]));
  const memberships = await call.reader.find(call.scope, groupMembersTable, equalsFilter("userId", id));
  const registrations = await call.service.directory.findRegistrations(directoryContext(call), [id]);
  return toRecordResult("user", {
    ...user,
    memberships: memberships.map((membership) => JSON.parse(membership.json)),
    registrations: registrations.map(({ userId: _userId, ...registration }) => registration),
  });
}

// A host's directory should keep to the scope; the filter makes sure.
async function findSeen<Found extends DirectoryUser | DirectoryApplication>(
  call: OperationCall,
  found: readonly Found[],
): Promise<Found> {
  const [seen] = found.filter((record) => call.scope.kind === "global" || record.tenantId === call.scope.tenantId);
  if (seen === undefined) throw generalError("notFound");
  return seen;
}

async function retrieveApplication(call: OperationCall): Promise<OperationResult> {
  const id = requireId(call, "applicationId");
  const found = await call.service.directory.findApplications(directoryContext(call), [id]);
  const [application] = await withRoles(call, [await findSeen(call, found)]);
  return toRecordResult("application", application);
}

async function listApplications(call: OperationCall): Promise<OperationResult> {
  const found = await call.service.directory.findApplications(directoryContext(call), undefined);
  const seen = found.filter((record) => call.scope.kind === "global" || record.tenantId === call.scope.tenantId);
  return { status: 200, json: toCanonicalJson({ applications: await withRoles(call, seen) }) };
}

async function withRoles(call: OperationCall, applications: readonly DirectoryApplication[]): Promise<readonly object[]> {
  const applicationIds = applications.map((application) => application.id);
  const roles = await call.service.directory.findRoles(directoryContext(call), { applicationIds });
  return applications.map((application) => ({
    ...application,
    roles: roles
      .filter((role) => role.applicationId === application.id)
      .map(({ applicationId: _applicationId, tenantId: _tenantId, ...role }) => role),
  }));
}

async function retrieveRegistration(call: OperationCall): Promise<OperationResult> {
  const applicationId = requireId(call, "applicationId");
  const userId = requireId(call, "userId");
  await findSeen(call, await call.service.directory.findUsers(directoryContext(call), [userId]));
  const found = await call.service.directory.findRegistrations(directoryContext(call), [userId]);
  const registration = found.find((candidate) => candidate.applicationId === applicationId);
  if (registration === undefined) throw generalError("notFound");
  const { userId: _userId, ...shown } = registration;
  return toRecordResult("registration", shown);
}

function toRecordResult(wrapper: string, record: unknown): OperationResult {
  const json = toCanonicalJson({ [wrapper]: record });
  return { status: 200, json, etag: etagOfText(json) };
}
