import { fieldError } from "../../errors/identity-error.js";
import { type DraftContext, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { applicationsTable } from "../../resources/applications/family.js";
import type { Application } from "../../resources/applications/schema.js";
import type { LoginIdType, ParsedUserRequest, User, UserIdentity } from "../../resources/users/schema.js";
import { accountSettingsOfRecord, type EmailSettings } from "../settings/tenant-settings.js";

/** Which login ids of a user are verified, once a request was carried out, and since when the address is. */
export type VerificationState = Pick<User, "identities" | "verified" | "verifiedInstant">;

/** The state of the login ids that a request gives a user: a new one, or a changed one, may have to be verified. */
export function verificationStateOf(
  request: ParsedUserRequest,
  fields: LoginIds,
  context: DraftContext<User>,
): VerificationState {
  const { email, phoneNumber } = fields;
  const { current, now, tenant } = context;
  const before = current?.record;
  const isVerified = before !== undefined && before.email === email ? before.verified : isTaken(request, email, before, tenant);
  const verified = { email: isVerified, phoneNumber: isPhoneVerified(request, phoneNumber, context), username: true };
  const identities = toIdentities(fields, before?.insertInstant ?? now, verified);
  const verifiedInstant = isVerified ? (before?.verified && before.verifiedInstant) || now : undefined;
  return { identities, verified: isVerified, verifiedInstant };
}

function isTaken(
  { proven, skipVerification, user }: ParsedUserRequest,
  email: string | undefined,
  before: User | undefined,
  tenant: DraftContext<User>["tenant"],
): boolean {
  if (email === undefined || skipVerification || proven?.includes(email)) return true;
  if (before === undefined && user.verified !== undefined) return user.verified;
  const settings: Partial<EmailSettings> = tenant === undefined ? {} : accountSettingsOfRecord(tenant).emailConfiguration;
  return before === undefined ? settings.verifyEmail !== true : before.verified && settings.verifyEmailWhenChanged !== true;
}

// A new number may have to be verified.
function isPhoneVerified(
  { proven, skipVerification }: ParsedUserRequest,
  phoneNumber: string | undefined,
  { current, tenant }: DraftContext<User>,
): boolean {
  const before = current?.record;
  if (before !== undefined && before.phoneNumber === phoneNumber) return isIdentityVerified(before, "phoneNumber");
  if (phoneNumber === undefined || skipVerification || proven?.includes(phoneNumber) || tenant === undefined) return true;
  return !accountSettingsOfRecord(tenant).phoneConfiguration.verifyPhoneNumber;
}

/** Whether a login id of a user is verified. One that the user does not have needs no verification. */
export function isIdentityVerified({ identities }: Pick<User, "identities">, loginIdType: LoginIdType): boolean {
  return identities.every(({ type, verified }) => type !== loginIdType || verified);
}

type LoginIds = Pick<User, "email" | "phoneNumber" | "username">;

// Names need no verification.
function toIdentities(
  { email, phoneNumber, username }: LoginIds,
  insertInstant: number,
  verified: Readonly<Record<LoginIdType, boolean>>,
): UserIdentity[] {
  const values = [
    ["email", email],
    ["username", username],
    ["phoneNumber", phoneNumber],
  ] as const;
  return values.flatMap(([type, value]) => {
    if (value === undefined) return [];
    return [{ type, value, displayValue: value, primary: true, verified: verified[type], insertInstant }];
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
