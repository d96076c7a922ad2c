import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, requireId } from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { assertSent } from "../../people/verification/flow-mail.js";
import { runWithoutUser } from "../../people/verification/flow-message.js";
import {
  issueVerification,
  type NewVerification,
  sendVerification,
  startRegistrationVerification,
  startVerification,
  verificationPurposeOf,
} from "../../people/verification/start-verification.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import type { VerifiedType, VerifyEmailRequest } from "../../records/verifications/schema.js";
import {
  findId,
  findIdWithCode,
  issueId,
  type OneTimeId,
  type Purpose,
  useId,
} from "../../sessions/one-time-ids/one-time-ids.js";
import { findFlowScope, findUserByLoginId, type LoginIdInput } from "../../sessions/subjects/flow-call.js";
import { findLoginScope, findRegistration, type LoginScope } from "../../sessions/subjects/token-subject.js";
import { isPublicCaller, isTrustedCaller } from "../../sessions/subjects/trusted-caller.js";
import { limitRate, limitStarts } from "../../sessions/throttle/rate-limits.js";
import { foldEmailAddress } from "../../shared/email-address.js";
import { changeGatedEmail } from "../flows/change-gated-email.js";
import { verifyByMessage, verifyLoginId, verifyRegistrationOf } from "../flows/verified.js";

const verifyEmailRequest = lazySchema("logins", "verifyEmailRequest");
const startIdentityRequest = lazySchema("logins", "startIdentityRequest");
const sendIdentityRequest = lazySchema("logins", "sendIdentityRequest");
const identityRequest = lazySchema("logins", "identityRequest");

/**
 * PUT: resends the mail that verifies an address; with a key, `sendVerifyEmail=false` only returns the id. A caller without a key
 * gets the same empty response for known and unknown users. With the `verificationId` of a gated login, changes the user's
 * address to `email`.
 * @throws IdentityError 400; 429; 404 for a `verificationId` that allows no change. With a key also 403 without a template, 404
 * for an unknown user.
 */
async function resendEmail(call: OperationCall): Promise<OperationResult> {
  const { email = "", verificationId = "" } = call.params;
  if (verificationId !== "" && email !== "") return changeGatedEmail(call, verificationId, email);
  const place = await findFlowScope(call, optionalId(call, "applicationId"));
  return resend(call, place, {
    isSent: call.params.sendVerifyEmail !== "false",
    name: "sendEmailVerification",
    start: async (write, user, isSent) =>
      parseRecord<User>(user).verified ? undefined : startVerification(write, place, { isSent, user }),
  });
}

/** PUT: as {@link resendEmail}, for the registration to an application. */
async function resendRegistration(call: OperationCall): Promise<OperationResult> {
  const applicationId = requireId(call, "applicationId");
  const place = await findFlowScope(call, applicationId);
  return resend(call, place, {
    isSent: call.params.sendVerifyPasswordEmail !== "false",
    name: "sendRegistrationVerification",
    start: async (write, user, isSent) => {
      const registration = await findRegistration(write, parseRecord<User>(user), applicationId);
      const isOpen = registration !== undefined && !parseRecord<{ readonly verified: boolean }>(registration).verified;
      return isOpen ? startRegistrationVerification(write, place, { isSent, user }) : undefined;
    },
  });
}

const messageNames = { sendEmailVerification: "verification", sendRegistrationVerification: "registration" } as const;

interface Resending {
  readonly isSent: boolean;
  readonly name: "sendEmailVerification" | "sendRegistrationVerification";
  /** Returns undefined if there is nothing to verify. */
  readonly start: (write: WriteCall, user: StoredRecord, isSent: boolean) => Promise<NewVerification | undefined>;
}

async function resend(call: OperationCall, place: LoginScope, resending: Resending): Promise<OperationResult> {
  const { isSent, name, start } = resending;
  const { email: loginId = "" } = call.params;
  if (loginId === "") throw fieldError("blank", "email");
  const subject: LoginIdInput = { loginId, loginIdTypes: ["email"] };
  await limitRate(call, place.tenant, { name, subject });
  const isTrusted = isTrustedCaller(call);
  const user = await findUserByLoginId(call, place.tenant.id, subject);
  if (user === undefined && isTrusted) throw generalError("notFound");
  const started = await call.write(async (write) => {
    const begun = user && (await start(write, user, isSent || !isTrusted));
    if (isTrusted) assertSent(begun?.unsent);
    else if (begun === undefined) await runWithoutUser(write, place, { loginId, name: messageNames[name] });
    return begun;
  });
  return isTrusted && started !== undefined ? presentStarted(started) : emptyResult;
}

function presentStarted({ id: verificationId, oneTimeCode }: NewVerification): OperationResult {
  return { status: 200, json: toCanonicalJson({ oneTimeCode, verificationId }) };
}

/**
 * POST: verifies the address of an id; with a key and a `userId`, that of the user.
 * @throws IdentityError 404 for an unknown, used or expired id, for an id of an address that changed since, and for a wrong code,
 * alike.
 */
async function verifyEmail(call: OperationCall): Promise<OperationResult> {
  const request = await parseWith(verifyEmailRequest, call.body);
  const { userId } = request;
  if (userId !== undefined && !isPublicCaller(call)) return markVerified(call, { userId, type: "email" });
  const id = await findPresented(call, request, "emailVerification");
  return call.write(async (write) => {
    await complete(write, id, "email");
    return emptyResult;
  });
}

/** POST: verifies the registration of an id. @throws IdentityError 404 as {@link verifyEmail}. */
async function verifyRegistration(call: OperationCall): Promise<OperationResult> {
  const id = await findPresented(call, await parseWith(verifyEmailRequest, call.body), "registrationVerification");
  return call.write(async (write) => {
    const { place, user } = await use(write, id);
    const registration = await findRegistration(write, parseRecord<User>(user), id.applicationId ?? "");
    if (registration === undefined) throw generalError("notFound");
    await verifyRegistrationOf(write, user, registration);
    await verifyByMessage(write, place, id);
    return emptyResult;
  });
}

function findPresented(call: OperationCall, request: VerifyEmailRequest, purpose: Purpose): Promise<OneTimeId> {
  const id = request.verificationId ?? call.params.verificationId;
  if (id === undefined) throw fieldError("blank", "verificationId");
  return findIdWithCode(call, purpose, { id, oneTimeCode: request.oneTimeCode });
}

interface Used {
  readonly place: LoginScope;
  readonly user: StoredRecord;
}

async function use(call: WriteCall, id: OneTimeId): Promise<Used> {
  await useId(call, id);
  const user = id.userId && (await call.reader.retrieve(tenantScope(id.tenantId), usersTable, id.userId));
  if (!user) throw generalError("notFound");
  return { place: await findLoginScope(call, id.tenantId, id.applicationId), user };
}

async function complete(call: WriteCall, id: OneTimeId, type: VerifiedType): Promise<void> {
  const { place, user } = await use(call, id);
  if (parseRecord<User>(user)[type] !== id.details.loginId) throw generalError("notFound");
  await verifyLoginId(call, place, { type, reason: "Completed", user });
}

/**
 * POST: starts the verification of a login id, of an existing user or for a new one; sends nothing.
 * @throws IdentityError 404 for an unknown user; 400 `[duplicate]loginId` for a known one with `mustNotExist`.
 */
async function startIdentity(call: OperationCall): Promise<OperationResult> {
  const request = await parseWith(startIdentityRequest, call.body);
  const { existingUserStrategy, loginId: given, loginIdType, state, verificationStrategy: strategy } = request;
  await limitStarts(call);
  const place = await findFlowScope(call, request.applicationId);
  const user = await findUserByLoginId(call, place.tenant.id, { loginId: given, loginIdTypes: [loginIdType] });
  if (existingUserStrategy === "mustExist") {
    if (user === undefined) throw generalError("notFound");
    return presentStarted(
      await call.write((write) => startVerification(write, place, { isSent: false, state, strategy, type: loginIdType, user })),
    );
  }
  if (user !== undefined) throw fieldError("duplicate", "loginId");
  const loginId = loginIdType === "email" ? foldEmailAddress(given) : given.trim();
  const asked = { loginId, state, strategy, type: loginIdType };
  return presentStarted(await call.write((write) => issueVerification(write, place, asked)));
}

/**
 * POST: sends the mail or the text of a started verification.
 * @throws IdentityError 404 for an unknown id; 403 without a template; 400 `[notConfigured]` without a messenger; 429.
 */
async function sendIdentity(call: OperationCall): Promise<OperationResult> {
  const { verificationId: id } = await parseWith(sendIdentityRequest, call.body);
  const type = await findType(call, id);
  const found = await findId(call, verificationPurposeOf(type), id);
  if (found?.details.loginId === undefined || found.details.isComplete) throw generalError("notFound");
  const { applicationId, details, oneTimeCode, tenantId, userId } = found;
  const place = await findLoginScope(call, tenantId, applicationId);
  const name = type === "email" ? "sendEmailVerification" : "sendPhoneVerification";
  const subject = { loginId: details.loginId ?? "", loginIdTypes: [type] };
  await limitRate(call, place.tenant, { name, subject });
  return call.write(async (write) => {
    const user = userId === undefined ? undefined : await write.reader.retrieve(tenantScope(tenantId), usersTable, userId);
    const issued = { id, oneTimeCode };
    assertSent(await sendVerification(write, place, { issued, state: details.state, to: details.loginId, type, user }));
    return emptyResult;
  });
}

async function findType(call: OperationCall, id: string): Promise<VerifiedType> {
  return (await findId(call, "phoneVerification", id)) === undefined ? "email" : "phoneNumber";
}

/** POST: completes a started verification. @throws IdentityError 404 as {@link verifyEmail}. */
async function completeIdentity(call: OperationCall): Promise<OperationResult> {
  const request = await parseWith(verifyEmailRequest, call.body);
  const { verificationId: id = "" } = request;
  const type = await findType(call, id);
  const purpose = verificationPurposeOf(type);
  const found = await findPresented(call, request, purpose);
  const { applicationId, details, userId } = found;
  if (details.isComplete) throw generalError("notFound");
  await call.write(async (write) => {
    if (userId !== undefined) return complete(write, found, type);
    await useId(write, found);
    const { tenant } = await findLoginScope(write, found.tenantId, undefined);
    const proof = { purpose, applicationId, details: { ...details, isComplete: true }, id };
    await issueId(write, tenant, proof);
  });
  return { status: 200, json: toCanonicalJson({ state: details.state }) };
}

/** POST: marks a login id of a user as verified. @throws IdentityError 404 for an unknown user. */
async function verifyIdentity(call: OperationCall): Promise<OperationResult> {
  const { loginId, loginIdType } = await parseWith(identityRequest, call.body);
  const { tenant } = await findFlowScope(call, undefined);
  const user = await findUserByLoginId(call, tenant.id, { loginId, loginIdTypes: [loginIdType] });
  if (user === undefined) throw generalError("notFound");
  return markVerified(call, { userId: user.id, type: loginIdType });
}

async function markVerified(
  call: OperationCall,
  { type, userId }: { readonly type: VerifiedType; readonly userId: string },
): Promise<OperationResult> {
  return call.write(async (write) => {
    const user = await write.reader.retrieve(write.scope, usersTable, userId);
    if (user === undefined) throw generalError("notFound");
    const place = await findLoginScope(write, user.tenantId ?? "", undefined);
    await verifyLoginId(write, place, { type, reason: "Administrative", user });
    return emptyResult;
  });
}

/** The operations of this family. */
export const operations: FamilyRulesModule["operations"] = {
  resendEmail,
  verifyEmail,
  resendRegistration,
  verifyRegistration,
  startIdentity,
  sendIdentity,
  completeIdentity,
  verifyIdentity,
};
