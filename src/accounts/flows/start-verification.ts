import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { User } from "../../resources/users/schema.js";
import { applicationSettingsOf } from "../settings/application-settings.js";
import { accountSettingsOf, type VerificationStrategy } from "../settings/tenant-settings.js";
import type { LoginScope } from "../tokens/token-subject.js";
import { queueFlowMail, type UnsentReason } from "./flow-mail.js";
import { type FlowData, type IssuedId, issueId } from "./one-time-ids.js";

/** A verification that began: the id, the code where a person types one, and why no mail left. */
export interface NewVerification extends IssuedId {
  readonly unsent?: UnsentReason | undefined;
}

/** How a verification begins. */
export interface VerificationStart {
  /** Whether the mail leaves at once: then the id proves that it was read. */
  readonly isSent: boolean;
  readonly state?: FlowData["state"];
  /** Default: what the tenant says. */
  readonly strategy?: VerificationStrategy | undefined;
}

/** The template of the mail that verifies an address: the application's, else the tenant's. */
export function verificationTemplateOf({ application, tenant }: LoginScope): string | undefined {
  const own = applicationSettingsOf(application).emailConfiguration.emailVerificationEmailTemplateId;
  return own ?? accountSettingsOf(tenant).emailConfiguration.verificationEmailTemplateId;
}

/** The variables of a mail that verifies something. */
export function verificationVariables({ id, oneTimeCode }: IssuedId, state?: unknown): Readonly<Record<string, unknown>> {
  return { state, verificationId: id, verificationOneTimeCode: oneTimeCode };
}

/** Starts the verification of a user's email. */
export async function startEmailVerification(
  call: WriteCall,
  place: LoginScope,
  user: StoredRecord,
  { isSent, state, strategy }: VerificationStart,
): Promise<NewVerification> {
  const { verificationStrategy } = accountSettingsOf(place.tenant).emailConfiguration;
  const details = { isMailed: isSent, loginId: parseRecord<User>(user).email, loginIdType: "email", state };
  const hasCode = (strategy ?? verificationStrategy) === "FormField";
  const owner = { applicationId: place.application?.id, userId: user.id };
  const issued = await issueId(call, place.tenant, { purpose: "emailVerification", ...owner, details, hasCode });
  if (!isSent) return issued;
  const mail = { templateId: verificationTemplateOf(place), place, user, variables: verificationVariables(issued, state) };
  return { ...issued, unsent: await queueFlowMail(call, mail) };
}

/** Starts the verification of a user's registration to the place's application. */
export async function startRegistrationVerification(
  call: WriteCall,
  place: LoginScope,
  user: StoredRecord,
  { isSent }: Pick<VerificationStart, "isSent">,
): Promise<NewVerification> {
  const { verificationEmailTemplateId: templateId, verificationStrategy } = applicationSettingsOf(place.application);
  const details = { isMailed: isSent, loginId: parseRecord<User>(user).email };
  const hasCode = verificationStrategy === "FormField";
  const owner = { applicationId: place.application?.id, userId: user.id };
  const issued = await issueId(call, place.tenant, { purpose: "registrationVerification", ...owner, details, hasCode });
  if (!isSent) return issued;
  const mail = { templateId, place, user, variables: verificationVariables(issued) };
  return { ...issued, unsent: await queueFlowMail(call, mail) };
}
