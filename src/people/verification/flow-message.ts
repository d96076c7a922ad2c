import { isMailAddress } from "../../http/schema/mail-address.js";
import { isPhone } from "../../http/schema/phone-number.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { User } from "../../records/users/schema.js";
import type { VerifiedType } from "../../records/verifications/schema.js";
import { issueId } from "../../sessions/one-time-ids/one-time-ids.js";
import type { LoginIdInput } from "../../sessions/subjects/flow-call.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { foldPhoneNumber } from "../../shared/text.js";
import { type FlowMail, queueFlowMail, type UnsentReason } from "./flow-mail.js";
import {
  emailVerificationRequirement,
  type FlowRequirement,
  mailRequirement,
  phoneVerificationRequirement,
  registrationVerificationRequirement,
  textRequirement,
} from "./flow-requirements.js";
import { queueFlowText } from "./flow-text.js";

/** A message of an account flow that leaves by mail or by text. */
export interface FlowMessage extends Pick<FlowMail, "place" | "variables"> {
  readonly name: "forgotPassword" | "passwordless";
  /** The type of the login id that it goes to. */
  readonly type: VerifiedType;
  readonly user: StoredRecord;
  readonly code?: string | undefined;
}

/**
 * Whether a message about a login id leaves by mail or by text: by text where the caller looks for a phone number that is the
 * user's.
 */
export function messageTypeOf({ loginId, loginIdTypes = [] }: LoginIdInput, user: StoredRecord | undefined): VerifiedType {
  if (!loginIdTypes.includes("phoneNumber")) return "email";
  const { phoneNumber = "" } = user === undefined ? { phoneNumber: loginId } : parseRecord<User>(user);
  return isPhone(phoneNumber) && foldPhoneNumber(phoneNumber) === foldPhoneNumber(loginId) ? "phoneNumber" : "email";
}

/** Queues a message to a user, which leaves after the commit. Returns the reason when there is none. */
export async function queueFlowMessage(
  call: WriteCall,
  { code, name, place, type, user, variables }: FlowMessage,
): Promise<UnsentReason | undefined> {
  const message = { place, user, variables };
  const requirement = requirementOf(place, name, type);
  if (type === "email") return queueFlowMail(call, { ...message, requirement });
  const { phoneNumber: to } = parseRecord<User>(user);
  return queueFlowText(call, { ...message, requirement, code, to });
}

const causes = {
  forgotPassword: "POST /api/user/forgot-password",
  passwordless: "application.passwordlessConfiguration.enabled",
} as const;

function requirementOf(place: LoginScope, name: MissingUser["name"], type: VerifiedType): FlowRequirement {
  if (name === "registration") return registrationVerificationRequirement(place);
  if (name === "verification")
    return type === "email" ? emailVerificationRequirement(place) : phoneVerificationRequirement(place);
  const cause = causes[name];
  return type === "email"
    ? mailRequirement(place, `${name}EmailTemplateId`, cause)
    : textRequirement(place, `${name}TemplateId`, cause);
}

/** The input of a flow that found no user, and the message that a user would get. */
export interface MissingUser extends LoginIdInput {
  readonly name: FlowMessage["name"] | "registration" | "verification";
}

/** Does the work of a flow without a user, to take as long: issues useless ids, and renders a message that is not sent. */
export async function runWithoutUser(call: WriteCall, place: LoginScope, missing: MissingUser): Promise<void> {
  const { loginId, name } = missing;
  const { id: code } = await issueId(call, place.tenant, { purpose: "oneTimePassword" });
  const variables = { changePasswordId: code, code, oneTimeCode: code, verificationId: code, verificationOneTimeCode: code };
  const id = call.service.runtime.newId();
  const json = toCanonicalJson({ email: loginId, id, identities: [], preferredLanguages: [], tenantId: place.tenant.id });
  const user = { version: 1, hidden: null, id, json, tenantId: place.tenant.id };
  const message = { place, user, variables, isRehearsal: true };
  const to = isMailAddress(loginId) ? loginId : "nobody@example.com";
  const type = messageTypeOf(missing, undefined);
  const requirement = requirementOf(place, name, type);
  if (type === "email") await queueFlowMail(call, { ...message, requirement, to });
  else await queueFlowText(call, { ...message, requirement, to: loginId });
}
