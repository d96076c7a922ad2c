/** The events of device tracking. */
export const deviceEvents = ["user.login.new-device", "user.login.suspicious"] as const;

/** The threats of a login (docs/reference/login-security.md#threats). */
export type LoginThreat =
  | "BlocklistedIp"
  | "DormantAccount"
  | "DormantPassword"
  | "ImpossibleTravel"
  | "RecentIdentityChange"
  | "RecentPasswordChange"
  | "SuspiciousUserAgent"
  | "UnrecognizedDevice";

/** The location of an address, in degrees. */
export interface AddressLocation {
  readonly latitude: number;
  readonly longitude: number;
}

/** A device that a user logged in with. */
export interface KnownDevice {
  /** The digest of the id in the cookie, which is not stored. */
  readonly digest: string;
  /** The browser and the system, without versions. */
  readonly agent: string;
}

/** The logins of a user, stored while devices are tracked. Callers cannot read it. */
export interface LoginHistory {
  /** The most recently used first. */
  readonly devices: readonly KnownDevice[];
  /** The last login with a password, in epoch milliseconds. */
  readonly passwordInstant?: number | undefined;
  /** The latest known location of a login, and its instant. */
  readonly location?: (AddressLocation & { readonly instant: number }) | undefined;
}

/** Findings about a login before it is complete. */
export interface LoginSignals {
  /** Undefined where the caller has none. */
  readonly device?: KnownDevice | undefined;
  /** `info` of the events about it. */
  readonly info: Readonly<Record<string, unknown>>;
  readonly isByPassword: boolean;
  readonly isNewDevice: boolean;
  readonly location?: AddressLocation | undefined;
  readonly threats: readonly LoginThreat[];
}

/** The most devices of a user: a new one replaces the least recently used. */
export const maxDevices = 20;

/** The history of a user after a login. */
export function addLogin(before: LoginHistory | undefined, login: LoginSignals, now: number): LoginHistory {
  const { device, isByPassword, location } = login;
  const others = (before?.devices ?? []).filter((known) => device === undefined || !isSameDevice(known, device));
  return {
    devices: [device ?? [], others].flat().slice(0, maxDevices),
    passwordInstant: isByPassword ? now : before?.passwordInstant,
    location: location === undefined ? before?.location : { ...location, instant: now },
  };
}

/** Whether two are one device. A cookie in another browser or on another system is another device. */
export function isSameDevice(a: KnownDevice, b: KnownDevice): boolean {
  return a.digest === b.digest && a.agent === b.agent;
}

/** The part of a user's hidden data about logins. */
export interface HiddenLogins {
  /** Set while devices are tracked. */
  readonly loginHistory?: LoginHistory | undefined;
  readonly loginIdsChangedInstant?: number | undefined;
}

type LoginIds = Readonly<Partial<Record<"email" | "phoneNumber" | "username", string | undefined>>>;

/** The addition of a change to that: empty for a new user and for the same login ids. */
export function loginIdChange(before: LoginIds | undefined, after: LoginIds, now: number): HiddenLogins {
  const isSame =
    before?.email === after.email && before?.phoneNumber === after.phoneNumber && before?.username === after.username;
  return before === undefined || isSame ? {} : { loginIdsChangedInstant: now };
}
