import { fieldError, generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { NewPasskey, PasskeyFailure } from "../../ports/passkeys.js";
import { tenantScope } from "../../ports/storage.js";
import { toPasskeyPem } from "../../records/passkeys/public-key.js";
import type {
  ParsedPasskeyRequest,
  PasskeyRegistrationRequest,
  PasskeyRegistrationStartRequest,
  PasskeyWorkflowName,
} from "../../records/passkeys/schema.js";
import type { PasskeyCreationOptions } from "../../records/passkeys/web-authn.js";
import { maxPasskeysPerUser } from "../../records/settings/passkey-settings.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { User } from "../../records/users/schema.js";
import { issueId } from "../../sessions/one-time-ids/one-time-ids.js";
import { findUserScope } from "../../sessions/subjects/flow-call.js";
import { valueAt } from "../../shared/objects.js";
import { toCreationOptions, userHandleOf } from "./ceremony-options.js";
import { type UsedChallenge, useChallenge } from "./challenges.js";
import { recordPasskeyFailure } from "./record-failure.js";
import { assertPage, findRelyingParty, findWorkflow } from "./relying-party.js";
import { findPasskeys, findUsablePasskeys, loadActiveUser } from "./stored-passkeys.js";

type StartRequest = PasskeyRegistrationStartRequest & {
  readonly userId: string;
  readonly workflow: PasskeyWorkflowName;
};

/**
 * Issues a challenge for a new passkey; returns the options for `navigator.credentials.create`.
 * @throws IdentityError 404 for an unknown user; 400 `[tooMany]userId` for a user at the maximum of passkeys.
 */
export async function startRegistration(call: OperationCall, request: StartRequest): Promise<PasskeyCreationOptions> {
  const { displayName, userAgent, userId, workflow: workflowName } = request;
  const user = await loadActiveUser(call, userId);
  const place = await findUserScope(call, user, undefined);
  const { tenant } = place;
  const relyingParty = findRelyingParty(call, tenant);
  const workflow = findWorkflow(place, workflowName);
  await assertPasskeyLimit(call, userId);
  const name = request.name || nameOf(parseRecord<User>(user));
  const details = { passkey: { displayName, name, userAgent, workflow: workflowName } };
  const { id: challenge } = await call.write((write) =>
    issueId(write, tenant, { purpose: "passkeyRegistration", details, userId }),
  );
  const seconds = accountSettingsOf(tenant).externalIdentifierConfiguration.webAuthnRegistrationChallengeTimeToLiveInSeconds;
  const known = await findUsablePasskeys(call, userId, relyingParty.id);
  const ceremony = { challenge, known, relyingParty, seconds, workflow };
  return toCreationOptions(ceremony, { displayName, id: userHandleOf(userId), name });
}

function nameOf({ email, id, phoneNumber, username }: User): string {
  return email ?? username ?? phoneNumber ?? id;
}

/** @throws IdentityError 400 `[tooMany]userId`. */
export async function assertPasskeyLimit(call: OperationCall, userId: string): Promise<void> {
  if ((await findPasskeys(call, userId)).length < maxPasskeysPerUser) return;
  throw fieldError("tooMany", "userId", `A user has at most ${maxPasskeysPerUser} passkeys. Remove one first.`);
}

interface CheckedRegistration {
  readonly taken: UsedChallenge;
  readonly toStore: ParsedPasskeyRequest;
}

/**
 * Verifies a new passkey; returns it with its challenge, so that the caller can check the challenge again before storage. Uses up
 * the challenge, even if the response is refused.
 * @throws IdentityError 404 for a challenge that is unknown, used, expired or another user's; 400 `[invalid]credential` with the
 * reason.
 */
export async function checkRegistration(
  given: OperationCall,
  request: PasskeyRegistrationRequest & { readonly userId: string },
): Promise<CheckedRegistration> {
  const { credential, userId } = request;
  const taken = await useChallenge(given, "passkeyRegistration", credential.response.clientDataJSON);
  if (taken.userId !== userId) throw generalError("notFound");
  const call = { ...given, scope: tenantScope(taken.tenantId) };
  const user = await loadActiveUser(call, userId);
  const place = await findUserScope(call, user, undefined);
  const relyingParty = findRelyingParty(call, place.tenant);
  assertPage(call, relyingParty, request);
  const workflow = findWorkflow(place, taken.details.passkey?.workflow ?? "general");
  const answer = { id: credential.id, ...credential.response };
  const verified = await relyingParty.verifier.verifyAttestation(answer, {
    challenge: taken.challenge,
    origin: request.origin,
    relyingPartyId: relyingParty.id,
    requiresUserVerification: workflow.userVerificationRequirement === "required",
  });
  const checked = verified.kind === "ok" ? withUsableKey(verified.passkey) : verified;
  if (checked.kind === "ok")
    return { taken, toStore: toRequest(request, taken, { passkey: checked.passkey, relyingPartyId: relyingParty.id }) };
  await recordPasskeyFailure(call, place.tenant, { isSevere: false, reason: checked.reason });
  throw fieldError("invalid", "credential", checked.reason);
}

function withUsableKey(passkey: NewPasskey): PasskeyFailure | { readonly kind: "ok"; readonly passkey: NewPasskey } {
  const publicKey = toPasskeyPem(passkey.algorithm, passkey.publicKey);
  if (publicKey === undefined) return { kind: "refused", reason: "The public key does not fit its algorithm." };
  return { kind: "ok", passkey: { ...passkey, publicKey } };
}

interface CheckedPasskey {
  readonly passkey: NewPasskey;
  readonly relyingPartyId: string;
}

function toRequest(
  { credential: { clientExtensionResults, id: credentialId, response, transports }, userId = "" }: PasskeyRegistrationRequest,
  { details }: UsedChallenge,
  { passkey, relyingPartyId }: CheckedPasskey,
): ParsedPasskeyRequest {
  const { displayName, name, userAgent } = details.passkey ?? {};
  const { isBackedUp: backupState, isBackupEligible: backupEligible, isUserVerified, ...made } = passkey;
  return {
    credential: {
      ...made,
      authenticatorSupportsUserVerification: isUserVerified,
      backupEligible,
      backupState,
      credentialId,
      data: {},
      // The options require a discoverable passkey; a browser may still report that it is not.
      discoverable: valueAt(clientExtensionResults, "credProps.rk") !== false,
      displayName,
      name,
      relyingPartyId,
      transports: transports ?? response.transports ?? [],
      userAgent,
      userId,
    },
  };
}
