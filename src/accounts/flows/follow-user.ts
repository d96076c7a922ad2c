import { fieldError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { usersTable } from "../../resources/users/family.js";
import type { ParsedUserRequest, Registration, User } from "../../resources/users/schema.js";
import { applicationSettingsOf } from "../settings/application-settings.js";
import { accountSettingsOf, type MailTemplateIds } from "../settings/tenant-settings.js";
import { findLoginScope, type LoginScope } from "../tokens/token-subject.js";
import { assertSent, queueFlowMail, templateIdOf } from "./flow-mail.js";
import { findId, issueId, type OneTimeId, revokeIds, useId } from "./one-time-ids.js";
import { startEmailVerification, startRegistrationVerification } from "./start-verification.js";

/** Members of the answer to who made or changed a user whose address must be verified. */
export interface EmailVerificationMembers {
  readonly emailVerificationId?: string | undefined;
  readonly emailVerificationOneTimeCode?: string | undefined;
  /** Since 1.59.0: the same for each login id. */
  readonly verificationIds?: readonly VerificationId[] | undefined;
}

/** A verification of a login id that began. */
export interface VerificationId {
  readonly id: string;
  readonly oneTimeCode?: string | undefined;
  readonly type: string;
  readonly value: string;
}

async function startVerification(
  call: WriteCall,
  place: LoginScope,
  record: StoredRecord,
  email: string,
): Promise<EmailVerificationMembers> {
  const { id, oneTimeCode } = await startEmailVerification(call, place, record, { isSent: true });
  const started = { emailVerificationId: id, emailVerificationOneTimeCode: oneTimeCode };
  if (!call.service.availability.behaves("verificationIds")) return started;
  return { ...started, verificationIds: [{ id, oneTimeCode, type: "email", value: email }] };
}

/** Starts the flows of a new user: the verification of the address, and the choice of a password. */
export async function followNewUser(
  call: WriteCall,
  record: StoredRecord,
  { applicationId, sendSetPasswordEmail }: ParsedUserRequest,
): Promise<EmailVerificationMembers> {
  const user = parseRecord<User>(record);
  const place = await findLoginScope(call, user.tenantId, applicationId);
  if (sendSetPasswordEmail) {
    const details = { isMailed: true, loginId: user.email };
    const { id } = await issueId(call, place.tenant, { purpose: "setupPassword", applicationId, userId: user.id, details });
    const templateId = templateIdOf(place, "setPasswordEmailTemplateId");
    assertSent(await queueFlowMail(call, { templateId, place, user: record, variables: { changePasswordId: id } }));
  }
  const { verifyEmail } = accountSettingsOf(place.tenant).emailConfiguration;
  if (!verifyEmail || user.verified || user.email === undefined) return {};
  return startVerification(call, place, record, user.email);
}

/** Mails the address that a user had before, and starts the verification of the new one where it is not verified. */
export async function followNewEmail(
  call: WriteCall,
  { id, tenantId }: Pick<User, "id" | "tenantId">,
  previousEmail: string | undefined,
): Promise<EmailVerificationMembers> {
  const record = await call.reader.retrieve(tenantScope(tenantId), usersTable, id);
  if (record === undefined) return {};
  const { email, verified } = parseRecord<User>(record);
  const place = await findLoginScope(call, tenantId, undefined);
  if (previousEmail !== undefined) {
    const templateId = templateIdOf(place, "emailUpdateEmailTemplateId");
    await queueFlowMail(call, { templateId, place, user: record, to: previousEmail, variables: { previousEmail } });
  }
  return email === undefined || verified ? {} : startVerification(call, place, record, email);
}

/** Voids what else could change the password of a user, and mails the user about the change. */
export async function followNewPassword(
  call: WriteCall,
  { id, tenantId }: Pick<User, "id" | "tenantId">,
  mail: keyof MailTemplateIds,
): Promise<void> {
  await revokeIds(call, { id, tenantId }, ["changePassword", "oneTimePassword", "setupPassword"]);
  const user = await call.reader.retrieve(tenantScope(tenantId), usersTable, id);
  const place = await findLoginScope(call, tenantId, undefined);
  await queueFlowMail(call, { templateId: templateIdOf(place, mail), place, user });
}

/** Members of the answer to who made a registration that must be verified. */
export interface RegistrationVerificationMembers {
  readonly registrationVerificationId?: string | undefined;
  readonly registrationVerificationOneTimeCode?: string | undefined;
}

/** Starts the verification of a new registration where its application asks for that. */
export async function followNewRegistration(
  call: WriteCall,
  user: StoredRecord,
  registration: StoredRecord,
): Promise<RegistrationVerificationMembers> {
  const { applicationId } = parseRecord<Registration>(registration);
  const place = await findLoginScope(call, user.tenantId ?? "", applicationId);
  if (!applicationSettingsOf(place.application).verifyRegistration) return {};
  const { id, oneTimeCode } = await startRegistrationVerification(call, place, user, { isSent: true });
  return { registrationVerificationId: id, registrationVerificationOneTimeCode: oneTimeCode };
}

/**
 * Uses up the ids of verifications that were completed before there was the user.
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
