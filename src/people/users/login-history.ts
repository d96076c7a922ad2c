/** The events that devices are tracked for. */
export const deviceEvents = ["user.login.new-device", "user.login.suspicious"] as const;

/** What can make a login suspicious (docs/reference/login-security.md#threats). */
export type LoginThreat =
  | "BlocklistedIp"
  | "DormantAccount"
  | "DormantPassword"
  | "ImpossibleTravel"
  | "RecentIdentityChange"
  | "RecentPasswordChange"
  | "SuspiciousUserAgent"
  | "UnrecognizedDevice";

/** Where an address is, in degrees. */
export interface AddressLocation {
  readonly latitude: number;
  readonly longitude: number;
}

/** A device that a user logged in with. */
export interface KnownDevice {
  /** Of the id in the cookie, which is not stored. */
  readonly digest: string;
  /** The browser and the system, without versions. */
  readonly agent: string;
}

/** What the service remembers of the logins of a user while devices are tracked. No caller reads it. */
export interface LoginHistory {
  /** The one of the latest login first. */
  readonly devices: readonly KnownDevice[];
  /** When the password last logged the user in, in epoch milliseconds. */
  readonly passwordInstant?: number | undefined;
  /** Where the latest login came from that could be located, and when. */
  readonly location?: (AddressLocation & { readonly instant: number }) | undefined;
}

/** What was found out of a login before it was complete. */
export interface LoginSignals {
  /** Undefined where the caller says nothing of one. */
  readonly device?: KnownDevice | undefined;
  /** `info` of the events about it. */
  readonly info: Readonly<Record<string, unknown>>;
  readonly isByPassword: boolean;
  readonly isNewDevice: boolean;
  readonly location?: AddressLocation | undefined;
  readonly threats: readonly LoginThreat[];
}

/** The most devices that a user has: the one that was not used for longest makes room. */
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

/** What the record of a user hides of logins. */
export interface HiddenLogins {
  /** While devices are tracked. */
  readonly loginHistory?: LoginHistory | undefined;
  /** When a login id last changed. */
  readonly loginIdsChangedInstant?: number | undefined;
}

type LoginIds = Readonly<Partial<Record<"email" | "phoneNumber" | "username", string | undefined>>>;

/** What a change of a user adds to that: nothing for a new user and for the same login ids. */
export function loginIdChange(before: LoginIds | undefined, after: LoginIds, now: number): HiddenLogins {
  const isSame =
    before?.email === after.email && before?.phoneNumber === after.phoneNumber && before?.username === after.username;
  return before === undefined || isSame ? {} : { loginIdsChangedInstant: now };
}
