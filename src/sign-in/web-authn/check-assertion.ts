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

/** A verified passkey and its user. */
export interface VerifiedPasskey {
  readonly flags: PasskeyFlags;
  readonly passkey: StoredRecord;
  readonly place: LoginScope;
  /** The `state` from the start of the ceremony. */
  readonly state: FlowData["state"];
  readonly user: StoredRecord;
}

interface AssertionUse {
  /** Called with the user of a refused passkey. */
  readonly onRefused?: ((place: LoginScope, user: StoredRecord) => Promise<void>) | undefined;
  /** The id of the pending login that the challenge was issued for. */
  readonly pendingLoginId?: string | undefined;
  /** Default `passkeyAuthentication`. */
  readonly purpose?: ChallengePurpose | undefined;
}

/**
 * Verifies a passkey's signature over a challenge of this service, and stores the use. Uses up the challenge, even if the
 * response is refused.
 * @throws IdentityError 404 for an unknown challenge or passkey and for an invalid response, alike; 400 for a page that the
 * settings do not allow.
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

// The start may have named one user or one passkey.
async function findAllowedPasskey(call: OperationCall, taken: UsedChallenge, credentialId: string): Promise<StoredRecord> {
  const stored = await findByCredentialId(call, taken.tenantId, credentialId);
  const { credentialId: recordId = stored?.id } = taken.details.passkey ?? {};
  if (stored === undefined || stored.id !== recordId) throw generalError("notFound");
  const { userId } = parseRecord<Passkey>(stored);
  if (userId !== (taken.userId ?? userId)) throw generalError("notFound");
  return stored;
}

/** The expected challenge, passkey, and tenant and application. */
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

// Imported passkeys may have user handles of their own; many systems use the text of the user's id.
function isHandleOf(stored: StoredRecord, userId: string, userHandle: string): boolean {
  const known = [userHandleOf(userId), Buffer.from(userId).toString("base64url"), parseHidden<HiddenPasskey>(stored)?.userHandle];
  return known.includes(userHandle);
}

type StoredUse = PasskeyFailure | { readonly kind: "ok"; readonly passkey: StoredRecord };

/**
 * Stores the use of a passkey in its latest record: of two uses with one sign count, in any process, the second is refused. A
 * sign count that does not grow indicates a copied passkey.
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
