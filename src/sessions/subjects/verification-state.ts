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

/** Which login ids of a user are verified, once a request was carried out, and since when the address is. */
export type VerificationState = Pick<User, "identities" | "verified" | "verifiedInstant">;

/** Whether something is verified, and why. */
export interface VerifiedState {
  readonly verified: boolean;
  readonly verifiedReason: VerifiedReason;
}

const pending: VerifiedState = { verified: false, verifiedReason: "Pending" };

interface Deciding {
  readonly before: User | undefined;
  /** Whether the caller may declare that an address is verified. */
  readonly isTrusted: boolean;
  readonly request: ParsedUserRequest;
  readonly settings: AccountSettings | undefined;
}

/** The state of the login ids that a request gives a user: a new one, or a changed one, may have to be verified. */
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

/** Whether something counts as verified for a reason; only what waits for it does not. */
export function isVerifiedBy(reason: VerifiedReason): boolean {
  return reason !== "Pending";
}

// What the request says of a login id. What the tenant asks for does not count then.
function findDeclared({ before, isTrusted, request }: Deciding, type: LoginIdType, value: string): VerifiedReason | undefined {
  const { proven, skipVerification, user, vouched } = request;
  if (proven?.includes(value)) return "Completed";
  if (vouched?.loginIds.includes(value)) return vouched.reason;
  if (type !== "email" || before !== undefined || user.verified === undefined) return undefined;
  if (!user.verified) return skipVerification ? undefined : "Pending";
  // Who vouches for some login ids declares no others.
  return isTrusted && vouched === undefined ? "Administrative" : "Skipped";
}

function isEmailAsked({ before, settings }: Deciding): boolean {
  const { verifyEmail, verifyEmailWhenChanged } = settings?.emailConfiguration ?? {};
  return before === undefined ? verifyEmail === true : !before.verified || verifyEmailWhenChanged === true;
}

/** Whether a login id of a user is verified. One that the user does not have needs no verification. */
export function isIdentityVerified({ identities }: Pick<User, "identities">, loginIdType: LoginIdType): boolean {
  return identities.every(({ type, verified }) => type !== loginIdType || verified);
}

/** Whether somebody proved a login id of a user; false for one that the user does not have. */
export function hasProof(user: User, loginIdType: LoginIdType, tenant: Partial<AccountSettings>): boolean {
  const identity = user.identities.find(({ type }) => type === loginIdType);
  if (identity === undefined) return false;
  const { verifiedReason } = identity;
  return isProof(verifiedReason ?? reasonOf(user, identity, accountSettingsOf(tenant)));
}

// Users whom an earlier version stored last have no reason: it follows from the record and what the tenant asks for.
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
 * Whether a new registration is verified, and why: unless its application asks for that.
 * @throws IdentityError 400 `[invalid]registration.applicationId` for an application of no tenant or another one.
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
