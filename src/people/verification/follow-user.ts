import { fieldError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { accountSettingsOf, type MailTemplateIds } from "../../records/settings/tenant-settings.js";
import { usersTable } from "../../records/users/family.js";
import type { ParsedUserRequest, Registration, User, VerificationId } from "../../records/users/schema.js";
import type { VerifiedType } from "../../records/verifications/schema.js";
import { findId, issueId, type OneTimeId, revokeIds, useId } from "../../sessions/one-time-ids/one-time-ids.js";
import { findLoginScope, type LoginScope } from "../../sessions/subjects/token-subject.js";
import { isIdentityVerified } from "../../sessions/subjects/verification-state.js";
import { assertSent, queueFlowMail } from "./flow-mail.js";
import { mailRequirement, textRequirement } from "./flow-requirements.js";
import { queueFlowText, queueUserText } from "./flow-text.js";
import { startRegistrationVerification, startVerification } from "./start-verification.js";

/** Members of the answer to a call that created or changed a user with unverified login ids. */
export interface VerificationMembers {
  readonly emailVerificationId?: string | undefined;
  readonly emailVerificationOneTimeCode?: string | undefined;
  /** Since 1.59.0: the same for each login id. */
  readonly verificationIds?: readonly VerificationId[] | undefined;
}

async function begin(
  call: WriteCall,
  place: LoginScope,
  started: { readonly type: VerifiedType; readonly user: StoredRecord },
): Promise<VerificationId> {
  const { type, user } = started;
  const { id, oneTimeCode } = await startVerification(call, place, { isSent: true, ...started });
  return { id, oneTimeCode, type, value: parseRecord<User>(user)[type] ?? "" };
}

function toMembers(call: WriteCall, started: readonly VerificationId[]): VerificationMembers {
  const { id, oneTimeCode } = started.find(({ type }) => type === "email") ?? {};
  const ofEmail = { emailVerificationId: id, emailVerificationOneTimeCode: oneTimeCode };
  const isListed = started.length > 0 && call.service.availability.behaves("verificationIds");
  return { ...(id !== undefined && ofEmail), ...(isListed && { verificationIds: started }) };
}

/** Starts the flows of a new user: the verification of login ids, and the choice of a password. */
export async function followNewUser(
  call: WriteCall,
  record: StoredRecord,
  { applicationId, sendSetPasswordEmail }: ParsedUserRequest,
): Promise<VerificationMembers> {
  const user = parseRecord<User>(record);
  const place = await findLoginScope(call, user.tenantId, applicationId);
  if (sendSetPasswordEmail) {
    const details = { isMailed: true, loginId: user.email };
    const { id } = await issueId(call, place.tenant, { purpose: "setupPassword", applicationId, userId: user.id, details });
    const requirement = mailRequirement(place, "setPasswordEmailTemplateId", "sendSetPasswordEmail");
    assertSent(await queueFlowMail(call, { requirement, place, user: record, variables: { changePasswordId: id } }));
  }
  const { verifyEmail } = accountSettingsOf(place.tenant).emailConfiguration;
  const hasNewEmail = verifyEmail && !user.verified && user.email !== undefined;
  return toMembers(call, [
    ...(hasNewEmail ? [await begin(call, place, { type: "email", user: record })] : []),
    ...(hasOpenNumber(user) ? [await begin(call, place, { type: "phoneNumber", user: record })] : []),
  ]);
}

function hasOpenNumber(user: User): boolean {
  return user.phoneNumber !== undefined && !isIdentityVerified(user, "phoneNumber");
}

/** Sends messages to the previous address and number of a user, and starts the verification of unverified new ones. */
export async function followNewLoginIds(
  call: WriteCall,
  { id, tenantId }: Pick<User, "id" | "tenantId">,
  original: Pick<User, "email" | "phoneNumber">,
): Promise<VerificationMembers> {
  const record = await call.reader.retrieve(tenantScope(tenantId), usersTable, id);
  if (record === undefined) return {};
  const { email, phoneNumber } = parseRecord<User>(record);
  const place = await findLoginScope(call, tenantId, undefined);
  return toMembers(call, [
    ...(email === original.email ? [] : await followNewEmail(call, place, { record, to: original.email })),
    ...(phoneNumber === original.phoneNumber ? [] : await followNewNumber(call, place, { record, to: original.phoneNumber })),
  ]);
}

/** A user with another login id, and the previous one. */
interface ChangedLoginId {
  readonly record: StoredRecord;
  readonly to: string | undefined;
}

async function followNewEmail(
  call: WriteCall,
  place: LoginScope,
  { record, to }: ChangedLoginId,
): Promise<readonly VerificationId[]> {
  const { email, verified } = parseRecord<User>(record);
  const requirement = mailRequirement(place, "emailUpdateEmailTemplateId");
  if (to !== undefined) await queueFlowMail(call, { requirement, place, user: record, to, variables: { previousEmail: to } });
  return email === undefined || verified ? [] : [await begin(call, place, { type: "email", user: record })];
}

async function followNewNumber(
  call: WriteCall,
  place: LoginScope,
  { record, to }: ChangedLoginId,
): Promise<readonly VerificationId[]> {
  const user = parseRecord<User>(record);
  const requirement = textRequirement(place, "identityUpdateTemplateId");
  if (to !== undefined) await queueFlowText(call, { requirement, place, to, user: record });
  await revokeIds(call, user, ["phoneVerification"]);
  return hasOpenNumber(user) ? [await begin(call, place, { type: "phoneNumber", user: record })] : [];
}

/** Revokes other ids that could change the password of a user, and mails the user about the change. */
export async function followNewPassword(
  call: WriteCall,
  { id, tenantId }: Pick<User, "id" | "tenantId">,
  mail: keyof MailTemplateIds,
): Promise<void> {
  await revokeIds(call, { id, tenantId }, ["changePassword", "oneTimePassword", "setupPassword"]);
  const user = await call.reader.retrieve(tenantScope(tenantId), usersTable, id);
  const place = await findLoginScope(call, tenantId, undefined);
  await queueFlowMail(call, { requirement: mail, place, user });
  const isReset = mail === "passwordResetSuccessEmailTemplateId";
  await queueUserText(call, { place, user }, isReset ? "passwordResetSuccessTemplateId" : "passwordUpdateTemplateId");
}

/** Members of the answer to a call that created a registration to verify. */
export interface RegistrationVerificationMembers {
  readonly registrationVerificationId?: string | undefined;
  readonly registrationVerificationOneTimeCode?: string | undefined;
}

/** Starts the verification of a new registration where its application requires it. */
export async function followNewRegistration(
  call: WriteCall,
  user: StoredRecord,
  registration: StoredRecord,
): Promise<RegistrationVerificationMembers> {
  const { applicationId } = parseRecord<Registration>(registration);
  const place = await findLoginScope(call, user.tenantId ?? "", applicationId);
  if (!applicationSettingsOf(place.application).verifyRegistration) return {};
  const { id, oneTimeCode } = await startRegistrationVerification(call, place, { isSent: true, user });
  return { registrationVerificationId: id, registrationVerificationOneTimeCode: oneTimeCode };
}

/**
 * Consumes the ids of verifications that were completed before the user existed.
 * @throws IdentityError 400 `[invalid]verificationIds` for another id, or one of another login id.
 */
export async function useVerificationIds(call: WriteCall, record: StoredRecord, ids: readonly string[]): Promise<void> {
  const { email, phoneNumber, tenantId } = parseRecord<User>(record);
  for (const id of ids) {
    const found = await findProof(call, id);
    if (found === undefined || found.tenantId !== tenantId || ![email, phoneNumber].includes(found.details.loginId))
      throw fieldError("invalid", "verificationIds");
    await useId(call, found);
  }
}

/** The login ids that ids of completed verifications prove. */
export async function findVerifiedLoginIds(call: OperationCall, ids: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const id of ids) found.push((await findProof(call, id))?.details.loginId ?? "");
  return found;
}

async function findProof(call: OperationCall, id: string): Promise<OneTimeId | undefined> {
  const found = (await findId(call, "emailVerification", id)) ?? (await findId(call, "phoneVerification", id));
  return found?.details.isComplete ? found : undefined;
}
