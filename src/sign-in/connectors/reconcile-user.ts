import { hash } from "node:crypto";
import { parseRecord } from "../../operations/family/family.js";
import { conflictOf, type RecordConflict } from "../../operations/family/record-steps.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { changeRecord } from "../../operations/verbs/update.js";
import { makeUser, prepare, saveUser, users } from "../../people/users/rules.js";
import { globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { builtInConnectorId } from "../../records/connectors/built-in-connector.js";
import type { ConnectorPolicy } from "../../records/tenants/schema.js";
import { usersTable } from "../../records/users/family.js";
import type { ParsedUserRequest, User } from "../../records/users/schema.js";
import { findUserByLoginId } from "../../sessions/subjects/flow-call.js";
import { hasValidProof, proofEndsOf } from "../../sessions/validity/proof.js";
import { parseUuid } from "../../shared/text.js";
import { recordConnectorFailure, recordSkipped, type VerifiedPassword } from "./call-connector.js";
import type { PasswordLogin } from "./check-stored.js";
import { isEmptyOfRelations, prepareRelations, type UserRelations, writeRelations } from "./relations-of-user.js";
import { isUnchanged, toUserRequest } from "./user-of-connector.js";

interface Acceptance {
  readonly accepted: VerifiedPassword;
  readonly policy: ConnectorPolicy;
}

/** A login through a connector. */
export interface ExternalLogin extends PasswordLogin, Acceptance {}

/**
 * Creates or updates the user of an accepted password from the connector's data, in one transaction with the events. Undefined
 * for a user who cannot log in with it, such as a user of another connector with the same address: no account is taken over.
 */
export async function reconcileUser(
  call: OperationCall,
  login: PasswordLogin,
  acceptance: Acceptance,
): Promise<StoredRecord | undefined> {
  const within = { ...call, scope: tenantScope(login.place.tenant.id) };
  const all: ExternalLogin = { ...login, ...acceptance };
  // The conflicting user may come from a concurrent login of the same user: try again.
  const first = await storeUser(within, all).catch(toConflict);
  const stored = isConflict(first) ? await storeUser(within, all).catch(toConflict) : first;
  if (!isConflict(stored)) return stored;
  await recordConnectorFailure(call, all.accepted.connector, `another user has the same ${stored.keys.join(", ")}.`);
  return undefined;
}

function isConflict(result: RecordConflict | StoredRecord | undefined): result is RecordConflict {
  return result !== undefined && "keys" in result;
}

function toConflict(error: unknown): RecordConflict {
  const conflict = conflictOf(error);
  if (conflict === undefined) throw error;
  return conflict;
}

async function storeUser(call: OperationCall, login: ExternalLogin): Promise<StoredRecord | undefined> {
  const { accepted, policy } = login;
  const id = idOf(login);
  const before = await findKnown(call, login, id);
  if (!(await isUsable(call, login, before))) return undefined;
  const { request, said } = await toUserRequest(call, { ...login, before, id: id ?? before?.id });
  const userId = before?.id ?? id ?? call.service.runtime.newId();
  const relations = await prepareRelations(call, said, { before, userId });
  const connectorId = policy.migrate ? builtInConnectorId : accepted.connector.id;
  const isSame = !policy.migrate && before !== undefined && (await isUnchanged(call, before, request));
  if (isSame && isEmptyOfRelations(relations)) return noteFaults(call, login, { ...relations, stored: before });
  const prepared = { ...(await prepare(call, request, { id: userId, stored: before })), connectorId };
  const passwordHash = policy.migrate ? await call.service.accounts.passwords.hash(login.password) : undefined;
  const stored = await call.write(async (write) => {
    const fresh = before && (await write.reader.retrieve(globalScope, usersTable, before.id));
    if (before !== undefined && !(await isUsable(write, login, fresh))) return undefined;
    const written = isSame && fresh !== undefined ? fresh : await writeUser(write, { fresh, prepared, userId });
    await writeRelations(write, written, relations);
    return passwordHash === undefined ? written : storePassword(write, written, passwordHash);
  });
  return noteFaults(call, login, { ...relations, stored });
}

// After the transaction, so that a rollback keeps the entry.
async function noteFaults(
  call: OperationCall,
  { accepted }: ExternalLogin,
  { faults, stored }: Pick<UserRelations, "faults"> & { readonly stored: StoredRecord | undefined },
): Promise<StoredRecord | undefined> {
  if (stored !== undefined && faults.length > 0) await recordSkipped(call, accepted.connector, { faults, userId: stored.id });
  return stored;
}

interface UserToWrite {
  readonly fresh: StoredRecord | undefined;
  readonly prepared: ParsedUserRequest;
  readonly userId: string;
}

async function writeUser(call: WriteCall, { fresh, prepared, userId }: UserToWrite): Promise<StoredRecord> {
  if (fresh === undefined) return (await makeUser(call, prepared, userId)).record;
  await changeRecord(call, users, fresh, prepared);
  return (await call.reader.retrieve(globalScope, usersTable, fresh.id)) ?? fresh;
}

// The password did not change: no sessions end, and no mail is sent.
function storePassword(call: WriteCall, stored: StoredRecord, passwordHash: string): Promise<StoredRecord> {
  const passwordLastUpdateInstant = call.service.runtime.clock();
  const hidden = { passwordHash, firstHashDigest: undefined, proofEnds: proofEndsOf(stored) };
  return saveUser(call, stored, { passwordLastUpdateInstant }, hidden);
}

/** The id from the other system, or one derived from its identifier: different in each tenant. */
function idOf({ accepted: { answer, connector }, place }: ExternalLogin): string | undefined {
  const { identifier, user } = answer;
  if (identifier === undefined) return typeof user.id === "string" ? parseUuid(user.id) : undefined;
  const digest = hash("sha256", JSON.stringify([place.tenant.id, connector.id, identifier]), "hex");
  // A UUID of version 8 (RFC 9562, 5.8).
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5");
}

async function findKnown(
  call: OperationCall,
  { loginId, place, user }: ExternalLogin,
  id: string | undefined,
): Promise<StoredRecord | undefined> {
  if (id !== undefined) return call.reader.retrieve(globalScope, usersTable, id);
  return user ?? findUserByLoginId(call, place.tenant.id, { loginId });
}

async function isUsable(call: OperationCall, login: ExternalLogin, known: StoredRecord | undefined): Promise<boolean> {
  const { accepted, place } = login;
  const { answer, connector } = accepted;
  if (answer.user.active === false) return false;
  if (known === undefined) return true;
  const { active, connectorId, tenantId } = parseRecord<User>(known);
  // The connector checked the password against the earlier user: changes since then count.
  if (login.user?.id === known.id && !hasValidProof(login.user, known)) return false;
  if (connectorId === connector.id && tenantId === place.tenant.id) return active;
  await recordConnectorFailure(call, connector, `the user ${known.id} does not log in by it, or is of another tenant.`);
  return false;
}
