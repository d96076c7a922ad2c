import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { accountSettingsOf, type VerificationStrategy } from "../../records/settings/tenant-settings.js";
import type { User } from "../../records/users/schema.js";
import type { VerifiedType } from "../../records/verifications/schema.js";
import { type FlowData, type IssuedId, issueId, type Purpose } from "../../sessions/one-time-ids/one-time-ids.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { queueFlowMail, type UnsentReason } from "./flow-mail.js";
import {
  emailVerificationRequirement,
  phoneVerificationRequirement,
  registrationVerificationRequirement,
} from "./flow-requirements.js";
import { queueFlowText } from "./flow-text.js";

/** A new verification: the id, the code where the user types one, and the reason when no mail left. */
export interface NewVerification extends IssuedId {
  readonly unsent?: UnsentReason | undefined;
}

/** A verification of a user to start. */
export interface VerificationStart {
  readonly user: StoredRecord;
  /** Whether the mail leaves at once: then the id proves that it was read. */
  readonly isSent: boolean;
  readonly state?: FlowData["state"];
  /** Default: the tenant's strategy. */
  readonly strategy?: VerificationStrategy | undefined;
}

/** The variables of a verification mail. */
export function verificationVariables({ id, oneTimeCode }: IssuedId, state?: unknown): Readonly<Record<string, unknown>> {
  return { state, verificationId: id, verificationOneTimeCode: oneTimeCode };
}

/** A verifiable login id: the purpose of its ids, and the tenant's strategy. */
interface VerifiedKind {
  readonly purpose: Purpose;
  readonly strategyOf: (tenant: LoginScope["tenant"]) => VerificationStrategy;
}

const kinds: Readonly<Record<VerifiedType, VerifiedKind>> = {
  email: {
    purpose: "emailVerification",
    strategyOf: (tenant) => accountSettingsOf(tenant).emailConfiguration.verificationStrategy,
  },
  phoneNumber: {
    purpose: "phoneVerification",
    strategyOf: (tenant) => accountSettingsOf(tenant).phoneConfiguration.verificationStrategy,
  },
};

/** The purpose of verification ids of a login id. */
export function verificationPurposeOf(type: VerifiedType): Purpose {
  return kinds[type].purpose;
}

/** Issues a verification id of a login id, with or without a user; sends nothing. */
export function issueVerification(
  call: WriteCall,
  { application, tenant }: LoginScope,
  { strategy, type, userId, ...details }: NewVerificationId,
): Promise<IssuedId> {
  const { purpose, strategyOf } = kinds[type];
  const hasCode = (strategy ?? strategyOf(tenant)) === "FormField";
  const owner = { applicationId: application?.id, userId };
  return issueId(call, tenant, { purpose, ...owner, details: { ...details, loginIdType: type }, hasCode });
}

/** The subject of a new verification id. */
export interface NewVerificationId extends Pick<FlowData, "isMailed" | "loginId" | "state"> {
  readonly type: VerifiedType;
  readonly strategy?: VerificationStrategy | undefined;
  readonly userId?: string | undefined;
}

/** Starts the verification of a user's email or phone number. */
export async function startVerification(
  call: WriteCall,
  place: LoginScope,
  { isSent, state, strategy, type = "email", user }: VerificationStart & { readonly type?: VerifiedType },
): Promise<NewVerification> {
  const to = parseRecord<User>(user)[type];
  const issued = await issueVerification(call, place, { isMailed: isSent, loginId: to, state, strategy, type, userId: user.id });
  return isSent ? { ...issued, unsent: await sendVerification(call, place, { issued, state, to, type, user }) } : issued;
}

/** The content and recipient of a verification message. */
export interface SentVerification {
  readonly issued: IssuedId;
  readonly state?: FlowData["state"];
  readonly to: string | undefined;
  readonly type: VerifiedType;
  /** Undefined for a login id without a user. */
  readonly user: StoredRecord | undefined;
}

/** Queues the mail or the text of a verification. Returns the reason when there is none. */
export function sendVerification(
  call: WriteCall,
  place: LoginScope,
  { issued, state, to, type, user }: SentVerification,
): Promise<UnsentReason | undefined> {
  const message = { place, to, user, variables: verificationVariables(issued, state) };
  if (type === "email") return queueFlowMail(call, { ...message, requirement: emailVerificationRequirement(place) });
  return queueFlowText(call, { ...message, requirement: phoneVerificationRequirement(place), code: issued.oneTimeCode });
}

/** Starts the verification of a user's registration to the place's application. */
export async function startRegistrationVerification(
  call: WriteCall,
  place: LoginScope,
  { isSent, user }: Pick<VerificationStart, "isSent" | "user">,
): Promise<NewVerification> {
  const { verificationStrategy } = applicationSettingsOf(place.application);
  const details = { isMailed: isSent, loginId: parseRecord<User>(user).email };
  const hasCode = verificationStrategy === "FormField";
  const owner = { applicationId: place.application?.id, userId: user.id };
  const issued = await issueId(call, place.tenant, { purpose: "registrationVerification", ...owner, details, hasCode });
  if (!isSent) return issued;
  const mail = { requirement: registrationVerificationRequirement(place), place, user, variables: verificationVariables(issued) };
  return { ...issued, unsent: await queueFlowMail(call, mail) };
}
