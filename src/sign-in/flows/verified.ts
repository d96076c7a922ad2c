import { CanonicalText } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { changeRegistration } from "../../people/registrations/rules.js";
import { presentUser } from "../../people/relations/present-user.js";
import { changeUser, users } from "../../people/users/rules.js";
import { queueFlowMail } from "../../people/verification/flow-mail.js";
import { queueUserText } from "../../people/verification/flow-text.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { oneTimeIdsTable } from "../../records/logins/family.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { LoginIdType, Registration, User } from "../../records/users/schema.js";
import type { VerifiedReason } from "../../records/users/verified-reason.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { digestOf, type FlowData, type OneTimeId, type Purpose, revokeIds } from "../../sessions/one-time-ids/one-time-ids.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { hasProof } from "../../sessions/subjects/verification-state.js";
import { type RevocationScope, revokeEarlierCredentials } from "./revoke-earlier-credentials.js";

/**
 * Verifies the address or number that an id was sent to, if the tenant allows it: the user must have read the message. `ends`
 * names the earlier credentials to revoke, when only the id authenticates the user.
 */
export async function verifyByMessage(
  call: WriteCall,
  place: LoginScope,
  { details, ends, userId }: OneTimeId & Pick<LoginIdProof, "ends">,
): Promise<void> {
  const { emailConfiguration, phoneConfiguration } = accountSettingsOf(place.tenant);
  const type = details.loginIdType === "phoneNumber" ? "phoneNumber" : "email";
  const isAllowed =
    type === "email" ? emailConfiguration.implicitEmailVerificationAllowed : phoneConfiguration.implicitPhoneVerificationAllowed;
  if (!details.isMailed || !isAllowed) return;
  const user = await call.reader.retrieve(tenantScope(place.tenant.id), users.table, userId ?? "");
  const loginId = user && parseRecord<User>(user)[type];
  if (user !== undefined && loginId !== undefined && loginId === details.loginId)
    await verifyLoginId(call, place, { type, reason: "Implicit", ends, user });
}

/** An id of a purpose, in plain text. */
export interface SentId {
  readonly id: string;
  readonly purpose: Purpose;
  readonly tenantId: string;
}

/** Records that a message with an id or its code was sent: presenting it then proves that the user read the message. */
export async function recordMessage(call: WriteCall, { id, purpose, tenantId }: SentId): Promise<void> {
  const scope = tenantScope(tenantId);
  const filter = equalsFilter("digest", digestOf(purpose, id));
  const [stored] = await call.tx.find(scope, oneTimeIdsTable, filter, { limit: 1 });
  const hidden = stored && parseHidden<{ readonly details: FlowData }>(stored);
  if (stored === undefined || hidden === undefined || hidden.details.isMailed) return;
  const sent = { ...hidden, details: { ...hidden.details, isMailed: true } };
  await call.tx.replaceHidden(scope, oneTimeIdsTable, [{ ...stored, hidden: JSON.stringify(sent) }]);
}

/** A verified login id. */
export interface LoginIdProof {
  /** The earlier credentials that the first proof revokes. Absent: none. */
  readonly ends?: RevocationScope | undefined;
  readonly reason: VerifiedReason;
  readonly type: LoginIdType;
  readonly user: StoredRecord;
}

/**
 * Verifies a login id of a user, publishes the events, sends the mail about it and voids the remaining ids for it. Does nothing
 * if already verified.
 */
export async function verifyLoginId(
  call: WriteCall,
  place: LoginScope,
  { ends, reason: verifiedReason, type: loginIdType, user: stored }: LoginIdProof,
): Promise<void> {
  const before = parseRecord<User>(stored);
  if (before[loginIdType] === undefined || hasProof(before, loginIdType, place.tenant)) return;
  const now = call.service.runtime.clock();
  const proved = { verified: true, verifiedReason };
  const identities = before.identities.map((one) => (one.type === loginIdType ? { ...one, ...proved } : one));
  const isEmail = loginIdType === "email";
  const ofUser = isEmail ? { verified: true, verifiedInstant: now } : {};
  const ended = ends && (await revokeEarlierCredentials(call, stored, ends));
  const changed = { ...ofUser, ...ended?.fields, identities, lastUpdateInstant: now };
  const user = await changeUser(call, stored, changed, ended?.hidden);
  await revokeIds(call, before, [isEmail ? "emailVerification" : "phoneVerification"]);
  const shown = new CanonicalText(await presentUser(call, user));
  const event = { tenantId: before.tenantId, linkedObjectId: before.id };
  if (isEmail) await publishEvent(call, { ...event, type: "user.email.verified", fields: { user: shown } });
  const fields = { loginId: before[loginIdType], loginIdType, user: shown };
  await publishEvent(call, { ...event, type: "user.identity.verified", fields });
  if (isEmail) await queueFlowMail(call, { requirement: "emailVerifiedEmailTemplateId", place, user });
  else await queueUserText(call, { place, user }, "verificationCompleteTemplateId");
}

/** Verifies a registration, publishes the event and voids the remaining ids for it. Does nothing if already verified. */
export async function verifyRegistrationOf(call: WriteCall, user: StoredRecord, stored: StoredRecord): Promise<void> {
  if (parseRecord<Registration>(stored).verified) return;
  const now = call.service.runtime.clock();
  const proved = { verified: true, verifiedReason: "Completed" } as const;
  const fields = { ...proved, verifiedInstant: now, lastUpdateInstant: now };
  const registration = parseRecord<Registration>(await changeRegistration(call, stored, fields));
  const { id, tenantId } = parseRecord<User>(user);
  const { applicationId } = registration;
  await revokeIds(call, { applicationId, id, tenantId }, ["registrationVerification"]);
  const shown = new CanonicalText(await presentUser(call, user));
  const event = { type: "user.registration.verified", tenantId, linkedObjectId: id };
  await publishEvent(call, { ...event, fields: { applicationId, registration, user: shown } });
}
