import { fieldError } from "../../errors/identity-error.js";
import { type DraftContext, parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import { builtInConnectorId } from "../../records/connectors/built-in-connector.js";
import { type AccountSettings, accountSettingsOf } from "../../records/settings/tenant-settings.js";
import { parseTenant } from "../../records/tenants/family.js";
import type { LoginIdType, ParsedUserRequest, User, UserIdentity } from "../../records/users/schema.js";
import { isProof, type VerifiedReason } from "../../records/users/verified-reason.js";
import { isPublicCaller } from "./trusted-caller.js";

/** The verification of a user's login ids after a request, and the instant at which the email address was verified. */
export type VerificationState = Pick<User, "identities" | "verified" | "verifiedInstant">;

/** Whether a login id or registration is verified, and why. */
export interface VerifiedState {
  readonly verified: boolean;
  readonly verifiedReason: VerifiedReason;
}

const pending: VerifiedState = { verified: false, verifiedReason: "Pending" };

interface Deciding {
  readonly before: User | undefined;
  /** Whether the caller may declare an email address verified. */
  readonly isTrusted: boolean;
  readonly request: ParsedUserRequest;
  readonly settings: AccountSettings | undefined;
}

/** The verification of a user's login ids after a request; new and changed ones may need verification. */
export function verificationStateOf(
  call: OperationCall,
  request: ParsedUserRequest,
  fields: LoginIds,
  { current, now, tenant }: DraftContext<User>,
): VerificationState {
  const before = current?.record;
  const settings = tenant && accountSettingsOf(parseTenant(tenant));
  const deciding = { before, isTrusted: !isPublicCaller(call), request, settings };
  const insertInstant = before?.insertInstant ?? now;
  const identities = loginIdTypes.flatMap((type): UserIdentity[] => {
    const value = fields[type];
    if (value === undefined) return [];
    const decision = decide(deciding, type, value);
    return [{ type, value, displayValue: value, primary: true, ...decision, insertInstant }];
  });
  const verified = isIdentityVerified({ identities }, "email");
  const verifiedInstant = verified ? (before?.verified && before.verifiedInstant) || now : undefined;
  return { identities, verified, verifiedInstant };
}

const loginIdTypes = ["email", "username", "phoneNumber"] as const;

function decide(deciding: Deciding, type: LoginIdType, value: string): VerifiedState {
  const { before, request, settings } = deciding;
  const same = before?.[type] === value ? before.identities.find((identity) => identity.type === type) : undefined;
  if (before !== undefined && same !== undefined)
    return { verified: same.verified, verifiedReason: reasonOf(before, same, settings) };
  const declared = findDeclared(deciding, type, value);
  if (declared !== undefined) return { verified: isVerifiedBy(declared), verifiedReason: declared };
  if (type === "username") return { verified: true, verifiedReason: "Unverifiable" };
  if (request.skipVerification) return { verified: true, verifiedReason: "Skipped" };
  const isAsked = type === "email" ? isEmailAsked(deciding) : settings?.phoneConfiguration.verifyPhoneNumber === true;
  return isAsked ? pending : { verified: true, verifiedReason: "Disabled" };
}

/** Whether this reason means verified: all but `Pending` do. */
export function isVerifiedBy(reason: VerifiedReason): boolean {
  return reason !== "Pending";
}

// The reason that the request declares; it overrides the tenant's settings.
function findDeclared({ before, isTrusted, request }: Deciding, type: LoginIdType, value: string): VerifiedReason | undefined {
  const { proven, skipVerification, user, vouched } = request;
  if (proven?.includes(value)) return "Completed";
  if (vouched?.loginIds.includes(value)) return vouched.reason;
  if (type !== "email" || before !== undefined || user.verified === undefined) return undefined;
  if (!user.verified) return skipVerification ? undefined : "Pending";
  // A caller that vouches for some login ids does not vouch for others.
  return isTrusted && vouched === undefined ? "Administrative" : "Skipped";
}

function isEmailAsked({ before, settings }: Deciding): boolean {
  const { verifyEmail, verifyEmailWhenChanged } = settings?.emailConfiguration ?? {};
  return before === undefined ? verifyEmail === true : !before.verified || verifyEmailWhenChanged === true;
}

/** Whether a login id of a user is verified; true if the user has none of this type. */
export function isIdentityVerified({ identities }: Pick<User, "identities">, loginIdType: LoginIdType): boolean {
  return identities.every(({ type, verified }) => type !== loginIdType || verified);
}

/** Whether the user proved a login id; false if the user has none of this type. */
export function hasProof(user: User, loginIdType: LoginIdType, tenant: Partial<AccountSettings>): boolean {
  const identity = user.identities.find(({ type }) => type === loginIdType);
  if (identity === undefined) return false;
  const { verifiedReason } = identity;
  return isProof(verifiedReason ?? reasonOf(user, identity, accountSettingsOf(tenant)));
}

// Users that an earlier version stored last have no reason: derive it from the record and the tenant's settings.
function reasonOf(user: User, identity: UserIdentity, settings: AccountSettings | undefined): VerifiedReason {
  const { type, verified, verifiedReason } = identity;
  if (verifiedReason !== undefined) return verifiedReason;
  if (type === "username") return "Unverifiable";
  if (!verified) return "Pending";
  if (user.connectorId !== builtInConnectorId) return "Trusted";
  if (type === "email" && user.verifiedInstant !== undefined && user.verifiedInstant > user.insertInstant) return "Completed";
  const isAsked = type === "email" ? settings?.emailConfiguration.verifyEmail : settings?.phoneConfiguration.verifyPhoneNumber;
  return isAsked ? "Administrative" : "Disabled";
}

type LoginIds = Pick<User, "email" | "phoneNumber" | "username">;

/**
 * The verification of a new registration: verified unless its application requires verification.
 * @throws IdentityError 400 `[invalid]registration.applicationId` for an unknown application, or one outside of the tenant.
 */
export async function resolveRegistrationState(
  call: WriteCall,
  { applicationId, tenantId }: { readonly applicationId: string; readonly tenantId: string },
  { asked, skipRegistrationVerification }: RegistrationRequest,
): Promise<VerifiedState> {
  const application = await call.reader.retrieve(globalScope, applicationsTable, applicationId);
  if (application?.tenantId !== tenantId) throw fieldError("invalid", "registration.applicationId");
  if (asked === true && !isPublicCaller(call)) return { verified: true, verifiedReason: "Administrative" };
  if (asked === true || skipRegistrationVerification) return { verified: true, verifiedReason: "Skipped" };
  const isAsked = asked === false || parseRecord<Partial<Application>>(application).verifyRegistration === true;
  return isAsked ? pending : { verified: true, verifiedReason: "Disabled" };
}

interface RegistrationRequest {
  readonly asked?: boolean | undefined;
  readonly skipRegistrationVerification?: boolean;
}
