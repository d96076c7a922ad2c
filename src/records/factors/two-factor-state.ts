/** What a user hides of a second factor. No other text of the user knows of it, so no PUT or PATCH of the user can change it. */
export interface TwoFactorState {
  readonly methods: readonly TwoFactorMethodState[];
  /** The digests of the recovery codes that were not used, sealed together. */
  readonly recoveryCodes?: string | undefined;
  /** The key, sealed, of codes that were sent to a user who has no second factor yet. */
  readonly offeredKey?: string | undefined;
  /** The codes, sealed together as digests, that were sent or returned and can still be used. */
  readonly codes?: string | undefined;
}

/** The kinds of methods of a second factor: an app, mails, text messages. */
export const factorKinds = ["authenticator", "email", "sms"] as const;

/** One of {@link factorKinds}. */
export type FactorKind = (typeof factorKinds)[number];

/** One way to show a second factor. Before 1.26.0 there is one at most. */
export interface TwoFactorMethodState {
  readonly id: string;
  /** Before 1.26.0 `authenticator` is the delivery `None`, `sms` the delivery `TextMessage`. */
  readonly method: FactorKind;
  /** The key of its codes, sealed; absent where each code is made for one message. */
  readonly key?: string | undefined;
  /** Where codes are sent to by mail. */
  readonly email?: string | undefined;
  /** Where codes are sent to as text messages. Default: the user's `mobilePhone`. */
  readonly mobilePhone?: string | undefined;
  /** What the user calls it. */
  readonly name?: string | undefined;
  /** The last step that was accepted: no code of it, or of one before, is accepted again. */
  readonly lastStep: number;
  readonly isLastUsed: boolean;
}

/** A method of a second factor on the wire, from 1.26.0 on (docs/reference/two-factor.md). */
export interface TwoFactorMethod {
  /** The UUID of the method. */
  readonly id: string;
  /** How codes reach the user: from an app, by mail or as text messages. */
  readonly method: FactorKind;
  /** How the app computes codes: `HmacSHA1`, six digits, steps of 30 s; on authenticators only. */
  readonly authenticator?: { readonly algorithm: string; readonly codeLength: number; readonly timeStep: number } | undefined;
  /** Where its codes are sent to by mail. */
  readonly email?: string | undefined;
  /** Whether it was the one that was used last. */
  readonly lastUsed: boolean;
  /** Where its codes are sent to as text messages; absent for the user's `mobilePhone`. */
  readonly mobilePhone?: string | undefined;
  /** What the user calls it. */
  readonly name?: string | undefined;
}

/** A user's second factor on the wire, from 1.26.0 on. Recovery codes are shown when they are made, never here. */
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

/** The codes of a second factor: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds (docs/reference/two-factor.md#totp). */
export const totpSettings: NonNullable<TwoFactorMethod["authenticator"]> = Object.freeze({
  algorithm: "HmacSHA1",
  codeLength: 6,
  timeStep: 30,
});

/** A method as the wire shows it. */
export function presentMethod({ isLastUsed, key: _key, lastStep: _lastStep, ...shown }: TwoFactorMethodState): TwoFactorMethod {
  return { ...shown, lastUsed: isLastUsed, ...(shown.method === "authenticator" && { authenticator: totpSettings }) };
}

/** A method as somebody sees it who has proved no more than a password: who has it knows the address or number anyway. */
export function redactMethod({ email, mobilePhone, ...method }: TwoFactorMethod): TwoFactorMethod {
  const address = email?.replace(/^(.).*(?=@)/su, "$1***");
  return { ...method, email: address, mobilePhone: mobilePhone && `***${mobilePhone.slice(-2)}` };
}

/** What the wire shows of a second factor from 1.26.0 on; undefined for none. */
export function presentTwoFactor({ methods }: TwoFactorState): TwoFactor | undefined {
  return methods.length === 0 ? undefined : { methods: methods.map(presentMethod), recoveryCodes: [] };
}

/** What the wire shows of a second factor before 1.26.0. */
export function toLegacyTwoFactor(state: TwoFactorState | undefined): LegacyTwoFactor {
  const method = state?.methods[0]?.method;
  return { twoFactorDelivery: method === "sms" ? "TextMessage" : "None", twoFactorEnabled: method !== undefined };
}
