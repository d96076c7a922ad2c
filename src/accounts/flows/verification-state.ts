import { fieldError } from "../../errors/identity-error.js";
import { type DraftContext, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { applicationsTable } from "../../resources/applications/family.js";
import type { Application } from "../../resources/applications/schema.js";
import type { Tenant } from "../../resources/tenants/schema.js";
import type { ParsedUserRequest, User, UserIdentity } from "../../resources/users/schema.js";
import { accountSettingsOf, type EmailSettings } from "../settings/tenant-settings.js";

/** Whether the address of a user is verified, once a request was carried out, and since when. */
export type VerificationState = Pick<User, "verified" | "verifiedInstant">;

/** The state of the address that a request gives a user: a new one, or a changed one, may have to be verified. */
export function verificationStateOf(
  request: ParsedUserRequest,
  email: string | undefined,
  { current, now, tenant }: DraftContext<User>,
): VerificationState {
  const before = current?.record;
  const isVerified = before !== undefined && before.email === email ? before.verified : isTaken(request, email, before, tenant);
  return { verified: isVerified, verifiedInstant: isVerified ? (before?.verified && before.verifiedInstant) || now : undefined };
}

function isTaken(
  { proven, skipVerification, user }: ParsedUserRequest,
  email: string | undefined,
  before: User | undefined,
  tenant: DraftContext<User>["tenant"],
): boolean {
  if (email === undefined || skipVerification || proven?.includes(email)) return true;
  if (before === undefined && user.verified !== undefined) return user.verified;
  const settings: Partial<EmailSettings> =
    tenant === undefined ? {} : accountSettingsOf(parseRecord<Tenant>(tenant)).emailConfiguration;
  return before === undefined ? settings.verifyEmail !== true : before.verified && settings.verifyEmailWhenChanged !== true;
}

/** The login ids of a user. Names and phone numbers need no verification. */
export function toIdentities(
  { email, phoneNumber, username }: Pick<User, "email" | "phoneNumber" | "username">,
  insertInstant: number,
  isEmailVerified: boolean,
): UserIdentity[] {
  const values = [
    ["email", email],
    ["username", username],
    ["phoneNumber", phoneNumber],
  ] as const;
  return values.flatMap(([type, value]) => {
    if (value === undefined) return [];
    const verified = type === "email" ? isEmailVerified : true;
    return [{ type, value, displayValue: value, primary: true, verified, insertInstant }];
  });
}

/**
 * Whether a new registration is verified: unless its application asks for that.
 * @throws IdentityError 400 `[invalid]registration.applicationId` for an application of no tenant or another one.
 */
export async function isNewRegistrationVerified(
  call: WriteCall,
  { applicationId, tenantId }: { readonly applicationId: string; readonly tenantId: string },
  {
    asked,
    skipRegistrationVerification,
  }: { readonly asked?: boolean | undefined; readonly skipRegistrationVerification?: boolean },
): Promise<boolean> {
  const application = await call.reader.retrieve(globalScope, applicationsTable, applicationId);
  if (application?.tenantId !== tenantId) throw fieldError("invalid", "registration.applicationId");
  return skipRegistrationVerification || (asked ?? parseRecord<Partial<Application>>(application).verifyRegistration !== true);
}
