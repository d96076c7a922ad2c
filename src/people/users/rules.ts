import type { OperationResult } from "../../http/transport/write-response.js";
import { CanonicalText } from "../../json/canonical-json.js";
import { runBulkWrite } from "../../operations/bulk-write.js";
import type { NewEvent } from "../../operations/events/recorded-event.js";
import { audited } from "../../operations/family/audit-change.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  type PrepareContext,
  parseHidden,
  parseRecord,
  toBaseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import {
  assertPrecondition,
  loadRecord,
  optionalId,
  parseRequest,
  presentOne,
  replaceRecord,
  toRecordToStore,
  withMembers,
} from "../../operations/family/record-steps.js";
import { checkResponseSize } from "../../operations/family/response-size.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { assertUsableTenant } from "../../operations/references/references.js";
import { createRecord, sharedTransaction } from "../../operations/verbs/create.js";
import { runPatch } from "../../operations/verbs/patch.js";
import { removeRecord } from "../../operations/verbs/remove.js";
import { runUpdate } from "../../operations/verbs/update.js";
import type { RecordToStore, StoredRecord } from "../../ports/storage.js";
import { builtInConnectorId } from "../../records/connectors/built-in-connector.js";
import type { TwoFactorState } from "../../records/factors/two-factor-state.js";
import type { MailTemplateIds } from "../../records/settings/tenant-settings.js";
import { userFamily } from "../../records/users/family.js";
import type { ParsedUserRequest, User, UserRequest } from "../../records/users/schema.js";
import { endStaleSessions } from "../../sessions/ending/end-browser-sessions.js";
import { type PresentedUser, revokeTokensOfUser } from "../../sessions/ending/revoke-tokens.js";
import { verificationStateOf } from "../../sessions/subjects/verification-state.js";
import { type ProofEnds, proofEndsAfter } from "../../sessions/validity/proof.js";
import { withoutEmptyTexts } from "../../shared/objects.js";
import { toStateOfNew } from "../new-users/given-factor.js";
import { assertKnownRelations, joinGroups } from "../new-users/given-relations.js";
import { breachFieldsOf, type PasswordToStore, preparePassword } from "../passwords/password-rules.js";
import { presentNew, presentWithRelations } from "../relations/user-relations.js";
import { findVerifiedLoginIds, followNewUser, useVerificationIds } from "../verification/follow-user.js";
import { findUser } from "./find-user.js";
import { followPassword, followWrite } from "./follow-change.js";
import { type HiddenLogins, loginIdChange } from "./login-history.js";
import { publishDuplicates } from "./login-id-events.js";
import { fieldsOf, toUserDraft } from "./user-draft.js";
import { toUsernameFields, validateUsername } from "./validate-username.js";

/** The hidden part of a user: password hashes, the second factor, and the end of prevented logins. */
export interface HiddenUser extends HiddenLogins, Partial<PasswordToStore> {
  readonly twoFactor?: TwoFactorState | undefined;
  /** The latest end of the actions that prevent logins; absent while there is none. */
  readonly loginPreventedUntil?: number | undefined;
  /** The instants before which proofs of the user are invalid; absent while none is. */
  readonly proofEnds?: ProofEnds | undefined;
}

/** The family of users (docs/reference/users.md). */
export const users: Family<User, ParsedUserRequest> = {
  ...userFamily,
  rules: { prepare, toDraft, check, afterWrite, toRequestDocument, present: presentWithRelations },
};

/**
 * Moderates the username of a request, and replaces the password by its hash.
 * @throws IdentityError 400 `[moderationRejected]user.username`, and for a password that breaks the rules of the tenant.
 */
export async function prepare(
  call: OperationCall,
  request: ParsedUserRequest,
  { id, stored, earlier }: PrepareContext<ParsedUserRequest>,
): Promise<ParsedUserRequest> {
  const { encryptionScheme, factor, memberships, password, registrations, twoFactor, ...user } = request.user;
  const owner = { path: "user.username", userId: id, stored, earlier: earlier?.judged };
  const judged = await validateUsername(call, user.username, owner);
  const scheme = { encryptionScheme, factor };
  const wanted = { isOwn: false, path: "user.password", scheme, stored, user: { ...user, username: judged.username } };
  const hashed = password === undefined ? {} : await preparePassword(call, { ...wanted, password });
  const { verificationIds: ids = [] } = request;
  const proven = stored !== undefined || ids.length === 0 ? [] : await findVerifiedLoginIds(call, ids);
  const given = memberships || registrations || twoFactor ? { memberships, registrations, twoFactor } : undefined;
  const hasNewFactor = stored === undefined && twoFactor !== undefined;
  const twoFactorState = hasNewFactor ? toStateOfNew(call, id, request.user) : undefined;
  return { ...request, user: { ...user, username: judged.username }, judged, proven, given, twoFactorState, ...hashed };
}

/** The draft of a request's user. */
export function toDraft(call: OperationCall, request: ParsedUserRequest, context: DraftContext<User>): Draft<User> {
  const { tenantId = "", now, current } = context;
  const { verified: _asked, ...fields } = withoutEmptyTexts(fieldsOf(request));
  const hidden = current && parseHidden<HiddenUser>(current);
  const verification = verificationStateOf(call, request, fields, context);
  const record: User = {
    ...fields,
    ...toBaseRecord(context),
    tenantId,
    active: current?.record.active ?? true,
    ...(request.passwordHash === undefined && breachFieldsOf(current?.record)),
    connectorId: connectorOf(request, current?.record),
    lastLoginInstant: current?.record.lastLoginInstant,
    memberships: [],
    passwordLastUpdateInstant: request.passwordHash === undefined ? current?.record.passwordLastUpdateInstant : now,
    registrations: [],
    uniqueUsername: fields.username,
    ...toUsernameFields(fields.username, request.judged, current?.record),
    ...verification,
  };
  const { earlierPasswordHashes = hidden?.earlierPasswordHashes, passwordHash = hidden?.passwordHash } = request;
  const firstHashDigest = request.passwordHash === undefined ? hidden?.firstHashDigest : undefined;
  const changed: HiddenUser = {
    ...hidden,
    ...(request.twoFactorState && { twoFactor: request.twoFactorState }),
    ...loginIdChange(current?.record, record, now),
    earlierPasswordHashes,
    firstHashDigest,
    passwordHash,
  };
  const proofEnds = current && proofEndsAfter({ record: current.record, hidden }, { record, hidden: changed }, now);
  return toUserDraft(record, { ...changed, proofEnds });
}

// A new password makes the service check it from then on.
function connectorOf({ connectorId, passwordHash }: ParsedUserRequest, before: User | undefined): string {
  if (connectorId !== undefined) return connectorId;
  return (passwordHash === undefined ? before?.connectorId : undefined) ?? builtInConnectorId;
}

async function check(call: WriteCall, change: Change<User, ParsedUserRequest>): Promise<void> {
  if (change.request.given !== undefined) await assertKnownRelations(call, change);
}

async function afterWrite(call: WriteCall, change: Change<User, ParsedUserRequest>, record: RecordToStore): Promise<void> {
  await followWrite(call, change, record);
}

// PUT and PATCH: the answer has the ids of verifications that begin.
function changing(run: typeof runUpdate<User, ParsedUserRequest>): (call: OperationCall) => Promise<OperationResult> {
  return async (call) => {
    let members = {};
    const follow: typeof afterWrite = async (write, change, record) => {
      members = await followWrite(write, change, record);
    };
    const result = await run(call, { ...users, rules: { ...users.rules, afterWrite: follow } });
    return withMembers(result, members);
  };
}

async function showUser(call: WriteCall, record: StoredRecord): Promise<PresentedUser> {
  const { id, tenantId } = record;
  const [text = "{}"] = await presentWithRelations(call, [record]);
  return { id, tenantId: tenantId ?? "", shown: new CanonicalText(text) };
}

/** The events of removed users, with their registrations and memberships before the removal. */
async function describeRemovedUsers(call: WriteCall, records: readonly StoredRecord[]): Promise<readonly NewEvent[]> {
  const shown = await presentWithRelations(call, records);
  return records.map(({ id, tenantId }, index) => {
    const user = new CanonicalText(shown[index] ?? "{}");
    return { type: "user.delete", tenantId: tenantId ?? "", linkedObjectId: id, fields: { user } };
  });
}

async function toRequestDocument(_call: OperationCall, _stored: StoredRecord, user: User): Promise<Record<string, unknown>> {
  const { memberships: _memberships, registrations: _registrations, identities: _identities, ...fields } = user;
  return { user: fields };
}

/** DELETE: deactivates a user; `hardDelete=true` removes the user with all memberships and registrations. */
async function removeUser(call: OperationCall): Promise<OperationResult> {
  return runBulkWrite(call, async (write, noteCount) => {
    const stored = await loadRecord(write, users);
    await assertPrecondition(write, users, stored);
    if (call.params.hardDelete === "true") await removeRecord(write, users, stored, noteCount);
    else await setActive(write, stored, false);
    return emptyResult;
  });
}

/** Activates a user, or deactivates one and ends its sessions, with the event. */
export async function setActive(call: WriteCall, stored: StoredRecord, active: boolean): Promise<StoredRecord> {
  const record = await changeUser(call, stored, { active, lastUpdateInstant: call.service.runtime.clock() });
  const type = active ? "user.reactivate" : "user.deactivate";
  const user = await showUser(call, record);
  if (!active) await revokeTokensOfUser(call, user);
  await publishEvent(call, { type, tenantId: user.tenantId, linkedObjectId: user.id, fields: { user: user.shown } });
  return record;
}

/** Changes some fields of a user, with an entry of the audit log, but no event. */
export function changeUser(...change: Parameters<typeof saveUser>): Promise<StoredRecord> {
  const [call, stored] = change;
  return audited(call, users, stored, () => saveUser(...change));
}

/** Stores a user with some fields changed, such as after a login, without audit log and events. */
export async function saveUser(
  call: WriteCall,
  stored: StoredRecord,
  fields: Partial<User>,
  hidden: Partial<HiddenUser> = {},
): Promise<StoredRecord> {
  const before = { record: parseRecord<User>(stored), hidden: parseHidden<HiddenUser>(stored) };
  const after = { record: { ...before.record, ...fields }, hidden: { ...before.hidden, ...hidden } };
  const proofEnds = "proofEnds" in hidden ? hidden.proofEnds : proofEndsAfter(before, after, call.service.runtime.clock());
  if (proofEnds !== before.hidden?.proofEnds) call.tx.afterCommit(call.service.forgetSessions);
  const draft = toUserDraft(after.record, { ...after.hidden, proofEnds });
  const record = toRecordToStore(draft, stored.tenantId, stored.version + 1);
  await assertUsableTenant(call, stored.tenantId);
  await replaceRecord(call, users, record);
  if (proofEnds !== before.hidden?.proofEnds) await endStaleSessions(call, record);
  return record;
}

/** Sets a password that need not be changed. */
export async function changePassword(
  call: WriteCall,
  stored: StoredRecord,
  chosen: PasswordToStore,
  mail?: keyof MailTemplateIds,
): Promise<void> {
  const now = call.service.runtime.clock();
  const fields = {
    ...breachFieldsOf(undefined),
    passwordChangeRequired: false,
    passwordLastUpdateInstant: now,
    lastUpdateInstant: now,
  };
  const record = await changeUser(call, stored, fields, { ...chosen, firstHashDigest: undefined });
  await followPassword(call, await showUser(call, record), mail);
}

const newUsers = { ...users, rules: { present: presentNew } };

/** POST: creates a user, and starts the flows that the tenant or the request wants. */
async function createUser(call: OperationCall): Promise<OperationResult> {
  const id = optionalId(call, "userId") ?? call.service.runtime.newId();
  const request = await prepare(call, await parseRequest(call, users, call.body), { id });
  return call.write(async (write) => {
    const { members, record } = await makeUser(write, request, id);
    const isInGroups = (request.given?.memberships ?? []).length > 0;
    const answer = await presentOne(write, isInGroups ? users : newUsers, record);
    return checkResponseSize(call.service, withMembers(answer, members));
  }, sharedTransaction);
}

/** Creates the user of a request; the members are for the answer. */
export async function makeUser(
  call: WriteCall,
  request: ParsedUserRequest,
  id: string,
): Promise<{ readonly members: Readonly<Record<string, unknown>>; readonly record: StoredRecord }> {
  const { record, wire } = await createRecord(call, users, request, id);
  const { given, sendSetPasswordEmail, verificationIds: ids = [] } = request;
  if (given?.memberships !== undefined) await joinGroups(call, record, request);
  if (ids.length > 0) await useVerificationIds(call, record, ids);
  const hasFlows = sendSetPasswordEmail || wire.identities.some(({ verified }) => !verified);
  return { record, members: hasFlows ? { ...(await followNewUser(call, record, request)) } : {} };
}

/** Replaces a user by a request, with all consequences. */
export const replaceUser: (call: OperationCall) => Promise<OperationResult> = publishDuplicates(changing(runUpdate), "update");

/** PUT: replaces a user, or with `?reactivate=true` makes an inactive one active again. */
async function updateUser(call: OperationCall): Promise<OperationResult> {
  if (call.params.reactivate !== "true") return replaceUser(call);
  return call.write(async (write) => {
    const stored = await loadRecord(write, users);
    await assertPrecondition(write, users, stored);
    return presentOne(write, users, await setActive(write, stored, true));
  });
}

/** Custom operations. */
export const operations: FamilyRulesModule["operations"] = {
  create: publishDuplicates(createUser, "create"),
  find: (call) => findUser(call, users),
  update: updateUser,
  patch: publishDuplicates(changing(runPatch), "update"),
  remove: removeUser,
};

/** The events of removed users. */
export const describeRemoved: FamilyRulesModule["describeRemoved"] = { users: describeRemovedUsers };

export const example: FamilyExample<UserRequest> = ({ number }) => ({ user: { email: `user${number}@factory.example` } });
