import { generalError } from "../../errors/identity-error.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import { toRecordToStore } from "../../operations/family/record-steps.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { PasskeyFailure, PasskeyFlags } from "../../ports/passkeys.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { type HiddenPasskey, passkeysTable } from "../../records/passkeys/family.js";
import type { Passkey, PasskeyAssertRequest } from "../../records/passkeys/schema.js";
import type { FlowData } from "../../sessions/one-time-ids/one-time-ids.js";
import { findFlowScope } from "../../sessions/subjects/flow-call.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { userHandleOf } from "./ceremony-options.js";
import { type ChallengePurpose, type UsedChallenge, useChallenge } from "./challenges.js";
import { draftOf } from "./passkey-draft.js";
import { recordPasskeyFailure } from "./record-failure.js";
import { assertPage, findRelyingParty, findWorkflow } from "./relying-party.js";
import { findByCredentialId, loadActiveUser } from "./stored-passkeys.js";

/** A passkey that has signed, and its user. */
export interface VerifiedPasskey {
  readonly flags: PasskeyFlags;
  readonly passkey: StoredRecord;
  readonly place: LoginScope;
  /** What the start was given. */
  readonly state: FlowData["state"];
  readonly user: StoredRecord;
}

/** What an answer is for. */
interface AssertionUse {
  /** Called with the user of a passkey whose answer was refused. */
  readonly onRefused?: ((place: LoginScope, user: StoredRecord) => Promise<void>) | undefined;
  /** The record of the login that the challenge was issued for. */
  readonly pendingLoginId?: string | undefined;
  /** Default `passkeyAuthentication`. */
  readonly purpose?: ChallengePurpose | undefined;
}

/**
 * Checks the signature of a passkey over a challenge of this service, and stores the use. The challenge is used up, also by an answer that is refused.
 * @throws IdentityError 404 for an unknown challenge or passkey and for an answer that is not valid, alike; 400 for a page that the settings
 * do not allow.
 */
export async function checkAssertion(
  given: OperationCall,
  request: PasskeyAssertRequest,
  { onRefused, pendingLoginId, purpose = "passkeyAuthentication" }: AssertionUse = {},
): Promise<VerifiedPasskey> {
  const taken = await useChallenge(given, purpose, request.credential.response.clientDataJSON);
  if (taken.details.passkey?.pendingLoginId !== pendingLoginId) throw generalError("notFound");
  const call = { ...given, scope: tenantScope(taken.tenantId) };
  const place = await findFlowScope(call, taken.applicationId);
  const stored = await findAllowedPasskey(call, taken, request.credential.id);
  const user = await loadActiveUser(call, parseRecord<Passkey>(stored).userId);
  const verified = await verify(call, { place, stored, taken }, request);
  const used = verified.kind === "ok" ? await call.write((write) => storeUse(write, stored, verified.flags)) : verified;
  if (used.kind === "ok" && verified.kind === "ok")
    return { flags: verified.flags, passkey: used.passkey, place, state: taken.details.state, user };
  const { reason } = used as PasskeyFailure;
  await recordPasskeyFailure(call, place.tenant, { isSevere: verified.kind === "ok", passkeyId: stored.id, reason });
  await onRefused?.(place, user);
  throw generalError("notFound");
}

// A start may have been for one user, or for one passkey.
async function findAllowedPasskey(call: OperationCall, taken: UsedChallenge, credentialId: string): Promise<StoredRecord> {
  const stored = await findByCredentialId(call, taken.tenantId, credentialId);
  const { credentialId: recordId = stored?.id } = taken.details.passkey ?? {};
  if (stored === undefined || stored.id !== recordId) throw generalError("notFound");
  const { userId } = parseRecord<Passkey>(stored);
  if (userId !== (taken.userId ?? userId)) throw generalError("notFound");
  return stored;
}

/** What an answer is checked against. */
interface Asked {
  readonly place: LoginScope;
  readonly stored: StoredRecord;
  readonly taken: UsedChallenge;
}

async function verify(
  call: OperationCall,
  { place, stored, taken: { challenge, details } }: Asked,
  { credential, ...page }: PasskeyAssertRequest,
): Promise<PasskeyFailure | { readonly kind: "ok"; readonly flags: PasskeyFlags }> {
  const relyingParty = findRelyingParty(call, place.tenant);
  const { userVerificationRequirement } = findWorkflow(place, details.passkey?.workflow ?? "general");
  assertPage(call, relyingParty, page);
  const passkey = parseRecord<Passkey>(stored);
  const { userHandle } = credential.response;
  if (userHandle !== undefined && !isHandleOf(stored, passkey.userId, userHandle))
    return refused("The user handle is another user's.");
  if (passkey.relyingPartyId !== relyingParty.id) return refused("The passkey is for another domain.");
  const expected = {
    challenge,
    origin: page.origin,
    relyingPartyId: relyingParty.id,
    requiresUserVerification: userVerificationRequirement === "required",
  };
  return relyingParty.verifier.verifyAssertion({ id: credential.id, ...credential.response }, expected, passkey);
}

// Passkeys of another system may have handles of its own; the text of the id is common.
function isHandleOf(stored: StoredRecord, userId: string, userHandle: string): boolean {
  const known = [userHandleOf(userId), Buffer.from(userId).toString("base64url"), parseHidden<HiddenPasskey>(stored)?.userHandle];
  return known.includes(userHandle);
}

type StoredUse = PasskeyFailure | { readonly kind: "ok"; readonly passkey: StoredRecord };

/**
 * Stores that a passkey was used, by the freshest record: of two uses with one count, in any process, the second is refused. An authenticator that
 * counts and does not count up was copied.
 */
async function storeUse(call: WriteCall, stored: StoredRecord, flags: PasskeyFlags): Promise<StoredUse> {
  const fresh = await call.reader.retrieve(call.scope, passkeysTable, stored.id);
  if (fresh === undefined) return refused("The passkey was removed.");
  const passkey = parseRecord<Passkey>(fresh);
  const { isBackedUp, isBackupEligible, signCount } = flags;
  const counts = signCount > 0 || passkey.signCount > 0;
  if (counts && signCount <= passkey.signCount)
    return refused(`The sign count went from ${passkey.signCount} to ${signCount}: the passkey may have been copied.`);
  const used: Passkey = {
    ...passkey,
    backupEligible: isBackupEligible,
    backupState: isBackedUp,
    lastUseInstant: call.service.runtime.clock(),
    signCount,
  };
  const draft = draftOf(used, parseHidden<HiddenPasskey>(fresh)?.userHandle);
  const record = toRecordToStore(draft, fresh.tenantId, fresh.version + 1);
  await call.tx.update(call.scope, passkeysTable, record);
  return { kind: "ok", passkey: record };
}

function refused(reason: string): PasskeyFailure {
  return { kind: "refused", reason };
}
