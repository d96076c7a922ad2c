import { fieldError, IdentityError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import type { PasskeyAssertRequest } from "../../records/passkeys/schema.js";
import type { PasskeyRequestOptions } from "../../records/passkeys/web-authn.js";
import { findLoginScope, type LoginScope } from "../../sessions/subjects/token-subject.js";
import type { PendingLogin } from "../steps/pending-logins.js";
import { checkAssertion } from "./check-assertion.js";
import { findRelyingParty, findWorkflow, relyingPartyIdOf } from "./relying-party.js";
import { issueChallenge } from "./start-authentication.js";
import { findUsablePasskeys, loadActiveUser } from "./stored-passkeys.js";

/** The type of a login with a passkey as first factor: a passkey cannot be its second factor too. */
const ofPasskeys = "WEBAUTHN";

/** Whether a user has a passkey for the second factor of a login. */
export async function hasSecondPasskey(given: OperationCall, userId: string, { tenant }: LoginScope): Promise<boolean> {
  const id = relyingPartyIdOf(given.service, tenant);
  if (id === undefined) return false;
  return (await findUsablePasskeys({ ...given, scope: tenantScope(tenant.id) }, userId, id)).length > 0;
}

/**
 * Issues a challenge for a pending login; returns the options for `navigator.credentials.get`.
 * @throws IdentityError 400 when the settings do not allow passkeys for it, and `[notConfigured]twoFactorId` for a user without
 * one; 404 for an inactive user.
 */
export async function startSecondPasskey(given: OperationCall, login: PendingLogin): Promise<PasskeyRequestOptions> {
  const { applicationId, authenticationType, id: pendingLoginId, tenantId, userId } = login;
  const call = { ...given, scope: tenantScope(tenantId) };
  const place = await findLoginScope(call, tenantId, applicationId);
  const relyingParty = findRelyingParty(call, place.tenant);
  const workflow = findWorkflow(place, "secondFactor");
  const { id: owner } = await loadActiveUser(call, userId);
  const known = authenticationType === ofPasskeys ? [] : await findUsablePasskeys(call, owner, relyingParty.id);
  if (known.length === 0) throw fieldError("notConfigured", "twoFactorId", "The user has no passkey for this login.");
  const details = { passkey: { pendingLoginId, workflow: "secondFactor" } } as const;
  const id = { purpose: "passkeySecondFactor", applicationId, details, userId } as const;
  return issueChallenge(call, place.tenant, { id, known, relyingParty, workflow });
}

/**
 * Verifies a response to a challenge of {@link startSecondPasskey} for this login; returns the user as read at the start of the
 * check, or undefined for a wrong response. Uses up the challenge, even if the response is refused.
 * @throws IdentityError 400 for a page or settings that do not allow it.
 */
export async function checkSecondPasskey(
  given: OperationCall,
  { id: pendingLoginId, tenantId }: PendingLogin,
  request: PasskeyAssertRequest,
): Promise<StoredRecord | undefined> {
  const call = { ...given, scope: tenantScope(tenantId) };
  try {
    return (await checkAssertion(call, request, { pendingLoginId, purpose: "passkeySecondFactor" })).user;
  } catch (error) {
    if (error instanceof IdentityError && error.status === 404) return undefined;
    throw error;
  }
}
