import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { startRegistrationVerification, startVerification } from "../../people/verification/start-verification.js";
import type { StoredRecord } from "../../ports/storage.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { Registration, User } from "../../records/users/schema.js";
import { findRegistration, type LoginScope } from "../../sessions/subjects/token-subject.js";
import { isIdentityVerified } from "../../sessions/subjects/verification-state.js";
import { type CheckedUser, requirePasswordChange } from "../steps/require-password-change.js";

/**
 * The response to a user with a required step before a session begins (docs/reference/tokens.md#login): change the password
 * (203), verify the email (212) or the registration (213). Undefined when no step remains.
 */
export async function findRequiredStep(
  call: OperationCall,
  checked: CheckedUser,
  place: LoginScope,
): Promise<OperationResult | undefined> {
  const { user } = checked;
  const { email, identities, verified } = parseRecord<User>(user);
  const change = await requirePasswordChange(call, place, checked);
  if (change !== undefined) return change;
  const { emailConfiguration, phoneConfiguration: phone } = accountSettingsOf(place.tenant);
  const { unverified, verifyEmail } = emailConfiguration;
  if (verifyEmail && unverified.behavior === "Gated" && !verified && email !== undefined)
    return requireVerified(call, place, { type: "email", user });
  if (phone.verifyPhoneNumber && phone.unverified.behavior === "Gated" && !isIdentityVerified({ identities }, "phoneNumber"))
    return requireVerified(call, place, { type: "phoneNumber", user });
  const { unverified: ofApplication, verifyRegistration } = applicationSettingsOf(place.application);
  return verifyRegistration && ofApplication.behavior === "Gated" ? findUnverified(call, user, place) : undefined;
}

// With codes, the user gets a new one by mail or text, and the response contains its id.
async function requireVerified(
  call: OperationCall,
  place: LoginScope,
  verified: { readonly type: "email" | "phoneNumber"; readonly user: StoredRecord },
): Promise<OperationResult> {
  const { type } = verified;
  const { emailConfiguration, phoneConfiguration } = accountSettingsOf(place.tenant);
  const { verificationStrategy } = type === "email" ? emailConfiguration : phoneConfiguration;
  if (verificationStrategy === "ClickableLink") return { status: 212, json: "{}" };
  const { id } = await call.write((write) => startVerification(write, place, { isSent: true, ...verified }));
  return { status: 212, json: toCanonicalJson({ [type === "email" ? "emailVerificationId" : "identityVerificationId"]: id }) };
}

async function findUnverified(call: OperationCall, user: StoredRecord, place: LoginScope): Promise<OperationResult | undefined> {
  const registration = await findRegistration(call, parseRecord<User>(user), place.application?.id ?? "");
  if (registration === undefined || parseRecord<Registration>(registration).verified) return undefined;
  if (applicationSettingsOf(place.application).verificationStrategy === "ClickableLink") return { status: 213, json: "{}" };
  const { id } = await call.write((write) => startRegistrationVerification(write, place, { isSent: true, user }));
  return { status: 213, json: toCanonicalJson({ registrationVerificationId: id }) };
}
