import { fieldError, generalError } from "../../errors/identity-error.js";
import { parseWith } from "../../http/schema/parse-with.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { addMembers } from "../../json/canonical-json.js";
import { pagesOf } from "../../operations/bulk-write.js";
import { audited } from "../../operations/family/audit-change.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  type PrepareContext,
  parseRecord,
  toBaseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, presentRecords, requireId, toRecordToStore } from "../../operations/family/record-steps.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { publishEvent, publishEvents } from "../../operations/outbox/publish-event.js";
import { createRecord } from "../../operations/verbs/create.js";
import { runPatch } from "../../operations/verbs/patch.js";
import { runUpdate } from "../../operations/verbs/update.js";
import { type Filter, globalScope, type RecordToStore, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { applicationRolesTable } from "../../records/application-roles/family.js";
import type { ApplicationRole } from "../../records/application-roles/schema.js";
import { applicationsTable } from "../../records/applications/family.js";
import { registrationFamily, registrationsTable } from "../../records/registrations/family.js";
import type { ParsedRegistrationRequest, RegistrationRequest } from "../../records/registrations/schema.js";
import { usersTable } from "../../records/users/family.js";
import type { ParsedUserRequest, Registration } from "../../records/users/schema.js";
import type { UsernameStatus } from "../../records/users/username-status.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { resolveRegistrationState } from "../../sessions/subjects/verification-state.js";
import { limitRegistrations } from "../../sessions/throttle/rate-limits.js";
import { inChunks } from "../../shared/in-steps.js";
import { textAt } from "../../shared/objects.js";
import { foldText } from "../../shared/text.js";
import { publishDuplicates } from "../users/login-id-events.js";
import { makeUser, prepare as prepareUser, users } from "../users/rules.js";
import { toUsernameFields, validateUsername } from "../users/validate-username.js";
import { followNewRegistration } from "../verification/follow-user.js";
import { describeRegistrations, describeRemovedRegistrations, type RegistrationChange, userOf } from "./registration-events.js";

/** The family of a user's registrations to applications (docs/reference/users.md). */
export const registrations: Family<Registration, ParsedRegistrationRequest> = {
  ...registrationFamily,
  locate,
  rules: { prepare, tenantOf, toDraft, afterWrite },
};

function locate(call: OperationCall): Filter {
  const filters = [
    equalsFilter("userId", requireId(call, "userId")),
    equalsFilter("applicationId", requireId(call, "applicationId")),
  ];
  return { op: "and", filters };
}

async function prepare(
  call: OperationCall,
  request: ParsedRegistrationRequest,
  { stored, earlier }: Omit<PrepareContext<ParsedRegistrationRequest>, "id">,
): Promise<ParsedRegistrationRequest> {
  const [userId, applicationId] = [requireId(call, "userId"), requireId(call, "applicationId")];
  const owner = { path: "registration.username", userId, applicationId, stored, earlier: earlier?.judged };
  const judged = await validateUsername(call, request.registration.username, owner);
  return { ...request, registration: { ...request.registration, username: judged.username }, judged };
}

async function tenantOf(call: WriteCall): Promise<string> {
  const user = await call.reader.retrieve(call.scope, usersTable, requireId(call, "userId"));
  if (user === undefined) throw fieldError("invalid", "userId");
  return user.tenantId ?? "";
}

async function toDraft(
  call: WriteCall,
  request: ParsedRegistrationRequest,
  context: DraftContext<Registration>,
): Promise<Draft<Registration>> {
  const { tenantId = "", now, current } = context;
  const applicationId = requireId(call, "applicationId");
  const userId = requireId(call, "userId");
  const { verified: asked, ...registration } = request.registration;
  const { verified, verifiedReason } =
    current?.record ?? (await resolveRegistrationState(call, { tenantId, applicationId }, { ...request, asked }));
  const record: Registration = {
    ...registration,
    ...toBaseRecord(context),
    applicationId,
    lastLoginInstant: current?.record.lastLoginInstant,
    roles: await resolveRoles(call, { tenantId, applicationId }, { isNew: current === undefined, names: registration.roles }),
    tokens: {},
    ...toUsernameFields(registration.username, request.judged, current?.record),
    verified,
    verifiedInstant: verified ? (current?.record.verifiedInstant ?? now) : undefined,
    verifiedReason,
  };
  return toRegistrationDraft(record, userId);
}

/** The draft of a registration, with the columns derived from its fields. */
export function toRegistrationDraft(record: Registration, userId: string): Draft<Registration> {
  const { applicationId, moderationId = null } = record;
  return { record, hidden: { userId }, columns: { userId, applicationId, moderationId } };
}

// Role names ignore case and get the spelling of the application; a new registration without roles gets the default ones.
async function resolveRoles(
  call: WriteCall,
  { tenantId, applicationId }: { readonly tenantId: string; readonly applicationId: string },
  { isNew, names }: { readonly isNew: boolean; readonly names: readonly string[] },
): Promise<readonly string[]> {
  const found = await call.reader.find(
    tenantScope(tenantId),
    applicationRolesTable,
    equalsFilter("applicationId", applicationId),
  );
  const roles = found.map((role) => parseRecord<ApplicationRole>(role));
  if (names.length === 0 && isNew) return roles.filter((role) => role.isDefault).map((role) => role.name);
  const byName = new Map(roles.map((role) => [foldText(role.name), role.name]));
  return names.map((name) => {
    const known = byName.get(foldText(name));
    if (known === undefined) throw fieldError("invalid", "registration.roles");
    return known;
  });
}

async function afterWrite(call: WriteCall, change: Change<Registration, ParsedRegistrationRequest>): Promise<void> {
  const { draft, kind, original } = change;
  const told = { userId: requireId(call, "userId"), registration: draft.record, original };
  for (const event of await describeRegistrations(call, `user.registration.${kind}`, [told])) await publishEvent(call, event);
}

/** POST: registers a user; creates the user along with the registration when the body has one. */
async function createRegistration(call: OperationCall): Promise<OperationResult> {
  const wantedId = optionalId(call, "userId");
  const request = await parseWith(registrationFamily.request, call.body);
  const applicationId = request.registration.applicationId;
  if (applicationId === undefined) throw fieldError("missing", "registration.applicationId");
  if (wantedId === undefined && request.user === undefined) throw fieldError("missing", "userId");
  const { email, phoneNumber, username } = request.user ?? {};
  const loginId = email ?? phoneNumber ?? username ?? wantedId ?? "";
  await limitRegistrations(call, applicationId, { loginId, loginIdTypes: ["email", "phoneNumber"] });
  const userId = wantedId ?? call.service.runtime.newId();
  const params = { userId, applicationId };
  const mayExist = wantedId !== undefined;
  const user = request.user && (await prepareNewUser({ ...call, params }, { ...request, user: request.user }, mayExist));
  const prepared = await prepare({ ...call, params }, request, {});
  return call.write(async (write) => {
    const within: WriteCall = { ...write, params };
    if (user !== undefined) await createUser(within, user, mayExist);
    const { record } = await createRecord(within, registrations, prepared, write.service.runtime.newId());
    return presentBoth(within, record, userId);
  });
}

async function prepareNewUser(
  call: OperationCall,
  request: ParsedUserRequest,
  mayExist: boolean,
): Promise<ParsedUserRequest | undefined> {
  const userId = requireId(call, "userId");
  const isKnown = mayExist && (await call.reader.retrieve(call.scope, usersTable, userId)) !== undefined;
  if (isKnown) return undefined;
  const applicationId = requireId(call, "applicationId");
  const application = await call.reader.retrieve(call.scope, applicationsTable, applicationId);
  if (application === undefined) throw fieldError("invalid", "registration.applicationId");
  const tenantId = request.user.tenantId ?? application.tenantId ?? undefined;
  return prepareUser(call, { ...request, applicationId, user: { ...request.user, tenantId } }, { id: userId });
}

// An existing user is only registered; PUT changes other members. A new one belongs to the tenant of the application unless the
// body has another (docs/reference/authentication.md#tenant-header: the tenant follows from a globally unique id).
async function createUser(call: WriteCall, request: ParsedUserRequest, mayExist: boolean): Promise<void> {
  const userId = requireId(call, "userId");
  const known = mayExist ? await call.reader.retrieve(call.scope, usersTable, userId) : undefined;
  if (known === undefined) await makeUser(call, request, userId);
}

async function presentBoth(call: WriteCall, registration: StoredRecord, userId: string): Promise<OperationResult> {
  const user = await call.reader.retrieve(call.scope, usersTable, userId);
  if (user === undefined) throw generalError("notFound");
  const { verified } = parseRecord<Registration>(registration);
  const members = verified ? {} : await followNewRegistration(call, user, registration);
  const [userJson = "{}"] = await presentRecords(call, users, [user]);
  const json = `{"registration":${registration.json},"user":${userJson}}`;
  return { status: 200, json: verified ? json : addMembers(json, { ...members }) };
}

/** PUT: replaces a registration; the application may be in the path or in the body. */
async function updateRegistration(call: OperationCall): Promise<OperationResult> {
  return runUpdate(withApplication(call), registrations);
}

/** PATCH: changes a registration; a document that is no JSON Patch may have the application in place of the path. */
async function patchRegistration(call: OperationCall): Promise<OperationResult> {
  return runPatch(withApplication(call), registrations);
}

// Takes the application from the parameters, else from the body.
function withApplication(call: OperationCall): OperationCall {
  const applicationId = call.params.applicationId ?? textAt(call.body, "registration.applicationId");
  const params = { ...call.params, applicationId };
  return { ...call, params, write: (work, options) => call.write((write) => work({ ...write, params }), options) };
}

interface RenamedRole {
  readonly name: string;
  readonly newName?: string;
}

/** Renames a role in the registrations to an application, or removes it without a new name, each with its event. */
export async function followRole(call: WriteCall, applicationId: string, renamed: RenamedRole): Promise<void> {
  const filter = equalsFilter("applicationId", applicationId);
  const reading = { table: registrationsTable, filter, column: "userId", keyOf: userOf };
  for await (const page of pagesOf(call, globalScope, reading)) {
    await inChunks({ ...call.service.runtime, size: rewriteSize }, page, async (chunk) => {
      const changes = chunk.flatMap((stored) => withoutRole(stored, renamed));
      if (changes.length === 0) return;
      await call.tx.rewrite(
        globalScope,
        registrationsTable,
        changes.map(({ record }) => record),
      );
      const events = await describeRegistrations(call, "user.registration.update", changes);
      await publishEvents({ ...call, asking: undefined }, events);
    });
  }
}

const rewriteSize = 500;

// Empty where the registration lacks the role.
function withoutRole(
  stored: StoredRecord,
  { name, newName }: RenamedRole,
): readonly (RegistrationChange & { readonly record: RecordToStore })[] {
  const original = parseRecord<Registration>(stored);
  if (!original.roles.includes(name)) return [];
  const registration = { ...original, roles: original.roles.flatMap((role) => (role === name ? (newName ?? []) : role)) };
  const userId = userOf(stored);
  const record = toRecordToStore(toRegistrationDraft(registration, userId), stored.tenantId, stored.version + 1);
  return [{ userId, registration, original, record }];
}

/** Stores the moderation decision on the username of a registration. */
export async function setRegisteredUsernameStatus(
  call: WriteCall,
  stored: StoredRecord,
  usernameStatus: UsernameStatus,
): Promise<void> {
  const original = parseRecord<Registration>(stored);
  const fields = { usernameStatus, lastUpdateInstant: call.service.runtime.clock() };
  await audited(call, registrations, stored, () => changeRegistration(call, stored, fields));
  const told = { userId: userOf(stored), registration: { ...original, ...fields }, original };
  for (const event of await describeRegistrations(call, "user.registration.update", [told])) await publishEvent(call, event);
}

/** Stores a registration with some fields changed; publishes no event. */
export async function changeRegistration(
  call: WriteCall,
  stored: StoredRecord,
  fields: Partial<Registration>,
): Promise<StoredRecord> {
  const draft = toRegistrationDraft({ ...parseRecord<Registration>(stored), ...fields }, userOf(stored));
  const record = toRecordToStore(draft, stored.tenantId, stored.version + 1);
  await call.tx.update(tenantScope(stored.tenantId ?? ""), registrationsTable, record);
  return record;
}

/** Custom operations. */
export const operations: FamilyRulesModule["operations"] = {
  create: publishDuplicates(createRegistration, "create"),
  update: updateRegistration,
  patch: patchRegistration,
};

/** The events of removed registrations. */
export const describeRemoved: FamilyRulesModule["describeRemoved"] = { registrations: describeRemovedRegistrations };

export const example: FamilyExample<RegistrationRequest & { readonly userId?: string }> = async ({ has, idAt }) => ({
  // A user in the changes is created along with the registration.
  ...(!has("user") && { userId: await idAt("userId", "users") }),
  registration: { applicationId: await idAt("registration.applicationId", "applications") },
});
