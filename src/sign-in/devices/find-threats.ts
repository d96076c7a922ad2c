import { isAllowed } from "../../http/authenticate/access-list.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { AddressLocation, LoginHistory, LoginThreat } from "../../people/users/login-history.js";
import { globalScope } from "../../ports/storage.js";
import { accessListsTable } from "../../records/access-lists/family.js";
import type { AccessList } from "../../records/access-lists/schema.js";
import type { User } from "../../records/users/schema.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { within } from "../../shared/async.js";
import type { IpAddress } from "../../shared/ip-address.js";

/** The limits of the rules (docs/reference/login-security.md#threats). */
const threatLimits = {
  /** A change counts as recent for this time. */
  recentMs: 86_400_000,
  /** An account or password unused for this time is dormant. */
  dormantMs: 90 * 86_400_000,
  /** The maximum travel speed, in kilometers an hour. */
  maxSpeed: 1_000,
  /** The minimum distance, in kilometers: locations of addresses are imprecise. */
  minDistance: 200,
  /** The longest that a login waits for the location of its address. */
  locateMs: 500,
} as const;

/** The input of the rules. */
export interface CheckedLogin {
  readonly address: IpAddress | undefined;
  readonly history: LoginHistory | undefined;
  readonly isAutomated: boolean;
  readonly isByPassword: boolean;
  /** Undefined if unknown. */
  readonly isKnownDevice: boolean | undefined;
  readonly location: AddressLocation | undefined;
  readonly loginIdsChangedInstant: number | undefined;
  readonly now: number;
  readonly user: User;
}

/** The threats of a login, ordered by name. Rules without data find none. */
export async function findThreats(call: OperationCall, place: LoginScope, login: CheckedLogin): Promise<readonly LoginThreat[]> {
  const isBlocked = await isBlocklisted(call, place, login.address);
  const rules: readonly (readonly [LoginThreat, boolean])[] = [
    ["BlocklistedIp", isBlocked],
    ["DormantAccount", isDormant(login)],
    ["DormantPassword", isPasswordDormant(login)],
    ["ImpossibleTravel", isTravelImpossible(login)],
    ["RecentIdentityChange", isRecent(login, login.loginIdsChangedInstant)],
    ["RecentPasswordChange", login.isByPassword && isRecent(login, passwordChangeOf(login.user))],
    ["SuspiciousUserAgent", login.isAutomated],
    ["UnrecognizedDevice", login.isKnownDevice === false],
  ];
  return rules.flatMap(([threat, isThere]) => (isThere ? [threat] : []));
}

// The list of the application, else the tenant's.
async function isBlocklisted(
  call: OperationCall,
  { application, tenant }: LoginScope,
  address: IpAddress | undefined,
): Promise<boolean> {
  const path = "uiIPAccessControlListId";
  const listId = application?.accessControlConfiguration?.[path] ?? tenant.accessControlConfiguration?.[path];
  if (listId === undefined || address === undefined) return false;
  const list = await call.reader.retrieve(globalScope, accessListsTable, listId);
  return list !== undefined && !isAllowed(parseRecord<AccessList>(list), address);
}

function isDormant({ now, user: { lastLoginInstant } }: CheckedLogin): boolean {
  return lastLoginInstant !== undefined && now - lastLoginInstant >= threatLimits.dormantMs;
}

// The user logged in meanwhile, but without the password.
function isPasswordDormant(login: CheckedLogin): boolean {
  const { history, isByPassword, now, user } = login;
  if (!isByPassword || history?.passwordInstant === undefined || isDormant(login)) return false;
  return now - Math.max(history.passwordInstant, user.passwordLastUpdateInstant ?? 0) >= threatLimits.dormantMs;
}

// The first password of a user is no change.
function passwordChangeOf({ insertInstant, passwordLastUpdateInstant = 0 }: User): number | undefined {
  return passwordLastUpdateInstant > insertInstant ? passwordLastUpdateInstant : undefined;
}

// On a known device, the user made the change.
function isRecent({ isKnownDevice, now }: CheckedLogin, changeInstant: number | undefined): boolean {
  return changeInstant !== undefined && isKnownDevice !== true && now - changeInstant < threatLimits.recentMs;
}

function isTravelImpossible({ history, location: here, now }: CheckedLogin): boolean {
  const before = history?.location;
  if (before === undefined || here === undefined) return false;
  const distance = distanceOf(before, here);
  const hours = Math.max(0, now - before.instant) / 3_600_000;
  return distance >= threatLimits.minDistance && distance > hours * threatLimits.maxSpeed;
}

const earthRadius = 6_371;

// The kilometers between two places on the globe, by the haversine formula.
function distanceOf(a: AddressLocation, b: AddressLocation): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (from: number, to: number): number => Math.sin(radians(to - from) / 2) ** 2;
  const cosines = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
  const haversine = half(a.latitude, b.latitude) + cosines * half(a.longitude, b.longitude);
  return 2 * earthRadius * Math.asin(Math.sqrt(Math.min(1, haversine)));
}

/** Locates an address with the host's `locateAddress`. A missing, failed or slow answer prevents no login. */
export async function locate(call: OperationCall, ipAddress: string | undefined): Promise<AddressLocation | undefined> {
  const { accounts, runtime } = call.service;
  if (accounts.locateAddress === undefined || ipAddress === undefined) return undefined;
  const warn = (error: unknown): undefined => void runtime.logger.warn({ err: error }, "locateAddress did not answer");
  const asked = Promise.resolve(ipAddress).then(accounts.locateAddress).catch(warn);
  const found = await within(runtime.timers, threatLimits.locateMs, { work: asked, late: undefined });
  if (found === undefined || !(Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180)) return undefined;
  return { latitude: found.latitude, longitude: found.longitude };
}
