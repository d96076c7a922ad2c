/**
 * The second factor in the hidden part of a user record. The visible part does not include it, so no PUT or PATCH of the user
 * can change it.
 */
export interface TwoFactorState {
  readonly methods: readonly TwoFactorMethodState[];
  /** The digests of the unused recovery codes, sealed together. */
  readonly recoveryCodes?: string | undefined;
  /** The sealed key of codes that were sent to a user without a second factor. */
  readonly offeredKey?: string | undefined;
  /** The digests of sent or returned codes that are still valid, sealed together. */
  readonly codes?: string | undefined;
}

/** The kinds of methods of a second factor: an app, mails, text messages. */
export const factorKinds = ["authenticator", "email", "sms"] as const;

/** One of {@link factorKinds}. */
export type FactorKind = (typeof factorKinds)[number];

/** A method of a second factor. Before 1.26.0 a user has at most one. */
export interface TwoFactorMethodState {
  readonly id: string;
  /** Before 1.26.0 `authenticator` is the delivery `None`, `sms` the delivery `TextMessage`. */
  readonly method: FactorKind;
  /** The sealed key of its codes; absent if each code is created for one message. */
  readonly key?: string | undefined;
  /** The address for codes by mail. */
  readonly email?: string | undefined;
  /** The number for codes by text message. Default: the user's `mobilePhone`. */
  readonly mobilePhone?: string | undefined;
  /** The name that the user gave it. */
  readonly name?: string | undefined;
  /** The last accepted step: codes of it and of earlier steps are refused. */
  readonly lastStep: number;
  readonly isLastUsed: boolean;
}

/** A method of a second factor on the wire, from 1.26.0 on (docs/reference/two-factor.md). */
export interface TwoFactorMethod {
  /** The UUID of the method. */
  readonly id: string;
  /** How codes reach the user: from an app, by mail or as text messages. */
  readonly method: FactorKind;
  /** How the app computes codes: `HmacSHA1`, six digits, steps of 30 s; for authenticators only. */
  readonly authenticator?: { readonly algorithm: string; readonly codeLength: number; readonly timeStep: number } | undefined;
  /** The address for codes by mail. */
  readonly email?: string | undefined;
  /** Whether it is the last used method. */
  readonly lastUsed: boolean;
  /** The number for codes by text message; absent for the user's `mobilePhone`. */
  readonly mobilePhone?: string | undefined;
  /** The name that the user gave it. */
  readonly name?: string | undefined;
}

/** A user's second factor on the wire, from 1.26.0 on. Recovery codes are shown on creation, never here. */
export interface TwoFactor {
  /** The methods of the user, at most ten. */
  readonly methods: readonly TwoFactorMethod[];
  /** Always empty. */
  readonly recoveryCodes: readonly string[];
}

/** How codes reach a user, before 1.26.0. */
export type TwoFactorDelivery = "None" | "TextMessage";

/** The members that describe a user's second factor before 1.26.0. */
export interface LegacyTwoFactor {
  readonly twoFactorDelivery: TwoFactorDelivery;
  readonly twoFactorEnabled: boolean;
}

/**
 * The codes of a second factor: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds
 * (docs/reference/two-factor.md#totp).
 */
export const totpSettings: NonNullable<TwoFactorMethod["authenticator"]> = Object.freeze({
  algorithm: "HmacSHA1",
  codeLength: 6,
  timeStep: 30,
});

/** A method on the wire. */
export function presentMethod({ isLastUsed, key: _key, lastStep: _lastStep, ...shown }: TwoFactorMethodState): TwoFactorMethod {
  return { ...shown, lastUsed: isLastUsed, ...(shown.method === "authenticator" && { authenticator: totpSettings }) };
}

/** A method in the response to a password alone: its owner recognizes the rest of the address or number. */
export function redactMethod({ email, mobilePhone, ...method }: TwoFactorMethod): TwoFactorMethod {
  const address = email?.replace(/^(.).*(?=@)/su, "$1***");
  return { ...method, email: address, mobilePhone: mobilePhone && `***${mobilePhone.slice(-2)}` };
}

/** The second factor on the wire from 1.26.0 on; undefined for none. */
export function presentTwoFactor({ methods }: TwoFactorState): TwoFactor | undefined {
  return methods.length === 0 ? undefined : { methods: methods.map(presentMethod), recoveryCodes: [] };
}

/** The second factor on the wire before 1.26.0. */
export function toLegacyTwoFactor(state: TwoFactorState | undefined): LegacyTwoFactor {
  const method = state?.methods[0]?.method;
  return { twoFactorDelivery: method === "sms" ? "TextMessage" : "None", twoFactorEnabled: method !== undefined };
}
