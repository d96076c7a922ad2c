import { type RateLimitName, rateLimitNames } from "../../availability/availability.js";
import { isObject } from "../../shared/objects.js";
import { defaultMultiFactorSettings, type GivenMultiFactorSettings, type MultiFactorSettings } from "./multi-factor-settings.js";
import { defaultPasskeySettings, type GivenPasskeySettings, type PasskeySettings } from "./passkey-settings.js";
import { defaultPhoneSettings, type GivenPhoneSettings, type PhoneSettings } from "./phone-settings.js";

/** The generator of the ids or codes of a flow. */
export interface SecureGenerator {
  /** The number of characters; of bytes for `randomBytes`. */
  readonly length: number;
  /** Letters and digits are upper case, without look-alikes; bytes are encoded in base64url. */
  readonly type: "randomAlpha" | "randomAlphaNumeric" | "randomBytes" | "randomDigits";
}

/** The default lifetimes of ids and codes, in seconds. A tenant has each with the suffix `TimeToLiveInSeconds`. */
export const idLifetimes = {
  changePasswordId: 600,
  emailVerificationId: 86_400,
  externalAuthenticationId: 300,
  oneTimePassword: 60,
  passwordlessLogin: 180,
  pendingAccountLink: 3_600,
  phoneVerificationId: 86_400,
  registrationVerificationId: 86_400,
  setupPasswordId: 86_400,
  trustToken: 180,
  twoFactorId: 300,
  twoFactorOneTimeCodeId: 60,
  twoFactorTrustId: 2_592_000,
  webAuthnAuthenticationChallenge: 180,
  webAuthnRegistrationChallenge: 180,
} as const;

/** The generators of ids. A tenant has each with the suffix `Generator`. */
export const idNames = [
  "changePasswordId",
  "emailVerificationId",
  "passwordlessLogin",
  "phoneVerificationId",
  "registrationVerificationId",
  "setupPasswordId",
] as const;

/** The generators of codes, with the same suffix. */
export const codeNames = [
  "emailVerificationOneTimeCode",
  "passwordlessLoginOneTimeCode",
  "phoneVerificationOneTimeCode",
  "registrationVerificationOneTimeCode",
  "twoFactorOneTimeCodeId",
] as const;

/** The name of a generator. */
export type GeneratorName = (typeof idNames)[number] | (typeof codeNames)[number];

/** The default generators of ids and codes. */
export const idGenerators: Readonly<Record<GeneratorName, SecureGenerator>> = {
  ...(Object.fromEntries(idNames.map((name) => [name, { length: 32, type: "randomBytes" }])) as Record<
    (typeof idNames)[number],
    SecureGenerator
  >),
  ...(Object.fromEntries(codeNames.map((name) => [name, { length: 6, type: "randomAlphaNumeric" }])) as Record<
    (typeof codeNames)[number],
    SecureGenerator
  >),
  twoFactorOneTimeCodeId: { length: 6, type: "randomDigits" },
};

/** Generators and lifetimes of the ids and codes of account flows. */
export type IdSettings = {
  readonly [Name in keyof typeof idLifetimes as `${Name}TimeToLiveInSeconds`]: number;
} & { readonly [Name in GeneratorName as `${Name}Generator`]: SecureGenerator };

/** Whether a user clicks a link, or types a code into the form that started the flow. */
export type VerificationStrategy = "ClickableLink" | "FormField";

/** The rights of users before the address is verified. */
export type UnverifiedBehavior = "Allow" | "Gated";

/** The mails of account flows. Tenants and applications can set a template for each, with the suffix `EmailTemplateId`. */
export const flowMails = [
  "emailUpdate",
  "emailVerified",
  "forgotPassword",
  "loginIdInUseOnCreate",
  "loginIdInUseOnUpdate",
  "loginNewDevice",
  "loginSuspicious",
  "passwordResetSuccess",
  "passwordUpdate",
  "passwordless",
  "setPassword",
  "twoFactorMethodAdd",
  "twoFactorMethodRemove",
] as const;

/** The name of one of {@link flowMails}. */
export type FlowMailName = (typeof flowMails)[number];

/** The id of the template of each mail; absent: no mail. Those of an application take precedence over the tenant's. */
export type MailTemplateIds = { readonly [Name in FlowMailName as `${Name}EmailTemplateId`]?: string | undefined };

/** The tables that the ids of templates in a tenant or an application refer to, by path. */
export const templateReferences: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...[...flowMails, "emailVerification", "verification"].map((name) => `emailConfiguration.${name}EmailTemplateId`),
    "multiFactorConfiguration.email.templateId",
  ].map((path) => [path, "emailTemplates"]),
);

/** The mail templates and the verification of addresses of a tenant. */
export type EmailSettings = MailTemplateIds & VerificationSettings;

/** The sender of mails and the verification of addresses of a tenant. */
export interface VerificationSettings {
  /** The sender of mails without one in their template. */
  readonly defaultFromEmail?: string | undefined;
  /** The name of that sender. */
  readonly defaultFromName?: string | undefined;
  /** Whether a flow that a user completes with the contents of a mail verifies the address. Default true. */
  readonly implicitEmailVerificationAllowed: boolean;
  /** The rights of users before the address is verified. Default `Allow`. */
  readonly unverified: {
    /** Whether a gated user can replace an unverified address. Default false. */
    readonly allowEmailChangeWhenGated: boolean;
    /** `Gated`: a login returns 212 until the address is verified, while `verifyEmail` is on. */
    readonly behavior: UnverifiedBehavior;
  };
  /** The template of the mail that verifies an address. */
  readonly verificationEmailTemplateId?: string | undefined;
  /** Whether that mail contains a link, or a code to type. Default `ClickableLink`. */
  readonly verificationStrategy: VerificationStrategy;
  /** Whether new users must verify their address. Default false. */
  readonly verifyEmail: boolean;
  /** Whether a changed address must be verified again. Default false. */
  readonly verifyEmailWhenChanged: boolean;
}

/** The check of passwords against known breaches. */
export interface BreachDetection {
  /** Default false. */
  readonly enabled: boolean;
  /**
   * The condition of a breach: `High` the password alone, `Medium` with the user's login id, `Low` also a common one. Default
   * `High`.
   */
  readonly matchMode: "High" | "Low" | "Medium";
  /** The template of the mail about a login with a breached password. */
  readonly notifyUserEmailTemplateId?: string | undefined;
  /** The effect on a login with a breached password. Default `Off`. */
  readonly onLogin: "NotifyUser" | "Off" | "RecordOnly" | "RequireChange";
}

/** The rules for new passwords. Lengths are in UTF-16 units. */
export interface PasswordRules {
  /** Whether to refuse breached passwords. */
  readonly breachDetection: BreachDetection;
  /** Whether to refuse a password that contains the user's email, username or phone number. Default false. */
  readonly disallowUserLoginId: boolean;
  /** Default 256. */
  readonly maxLength: number;
  /** Default 8. */
  readonly minLength: number;
  /** Refuses the last `count` passwords of a user. Default: disabled. */
  readonly rememberPreviousPasswords: { readonly count: number; readonly enabled: boolean };
  /** Whether upper and lower case letters are required. Default false. */
  readonly requireMixedCase: boolean;
  /** Whether a character other than a letter is required. Default false. */
  readonly requireNonAlpha: boolean;
  /** Whether a digit is required. Default false. */
  readonly requireNumber: boolean;
  /** Whether a user with a password that breaks these rules must choose another one at login. Default false. */
  readonly validateOnLogin: boolean;
}

/** A limit for one user: `limit` calls in `timePeriodInSeconds`. */
export interface RateLimit {
  /** Default false. */
  readonly enabled: boolean;
  /** Default 5. */
  readonly limit: number;
  /** Default 60. */
  readonly timePeriodInSeconds: number;
}

/** Limits of calls that send a message or can guess a secret. */
export type RateLimits = Readonly<Record<RateLimitName, RateLimit>>;

/** The reaction of a tenant to too many failed logins, beside the option `throttle` for all tenants. */
export interface FailedLoginSettings {
  /** Whether a password reset ends the action early. */
  readonly actionCancelPolicy: { readonly onPasswordReset: boolean };
  /** The duration of the action, in units. Default 3. */
  readonly actionDuration: number;
  /** Default `MINUTES`. */
  readonly actionDurationUnit: "DAYS" | "HOURS" | "MINUTES" | "MONTHS" | "WEEKS" | "YEARS";
  /** Whether to mail the user. Default false. */
  readonly emailUser: boolean;
  /** The period in which failures count, in seconds. Default 60. */
  readonly resetCountInSeconds: number;
  /** The number of failures that triggers the action. Default 5. */
  readonly tooManyAttempts: number;
  /** The user action to take; absent: none. */
  readonly userActionId?: string | undefined;
}

/** The account flow settings of a tenant (docs/reference/account-settings.md). */
export interface AccountSettings {
  /** Mails, and the verification of addresses. */
  readonly emailConfiguration: EmailSettings;
  /** Generators and lifetimes of ids and codes. */
  readonly externalIdentifierConfiguration: IdSettings;
  /** The reaction to failed logins. */
  readonly failedAuthenticationConfiguration: FailedLoginSettings;
  /** The number of days after which a login requires a new password. Default: disabled; 180. */
  readonly maximumPasswordAge: { readonly days: number; readonly enabled: boolean };
  /** The minimum time between two password changes. Default: disabled; 30. */
  readonly minimumPasswordAge: { readonly enabled: boolean; readonly seconds: number };
  /** Second factors: the available methods, and the users that need one. Since 1.26.0. */
  readonly multiFactorConfiguration: MultiFactorSettings;
  /** The rules for new passwords. */
  readonly passwordValidationRules: PasswordRules;
  /** Texts, and the verification of phone numbers. Since 1.59.0. */
  readonly phoneConfiguration: PhoneSettings;
  /** Limits of calls that send a message or can guess a secret. */
  readonly rateLimitConfiguration: RateLimits;
  /** Passkeys: the RP ID and the workflows. Since 1.41.0. */
  readonly webAuthnConfiguration: PasskeySettings;
}

/** The settings of a tenant in a request, all optional. */
export interface GivenAccountSettings {
  /** Mails, and the verification of addresses. */
  readonly emailConfiguration?:
    | (MailTemplateIds &
        Partial<Omit<VerificationSettings, "unverified">> & {
          readonly unverified?: Partial<VerificationSettings["unverified"]> | undefined;
        })
    | undefined;
  /** Generators and lifetimes of ids and codes. */
  readonly externalIdentifierConfiguration?:
    | ({ readonly [Name in keyof typeof idLifetimes as `${Name}TimeToLiveInSeconds`]?: number | undefined } & {
        readonly [Name in GeneratorName as `${Name}Generator`]?: Partial<SecureGenerator> | undefined;
      })
    | undefined;
  /** The reaction to failed logins. */
  readonly failedAuthenticationConfiguration?:
    | (Partial<Omit<FailedLoginSettings, "actionCancelPolicy">> & {
        readonly actionCancelPolicy?: Partial<FailedLoginSettings["actionCancelPolicy"]> | undefined;
      })
    | undefined;
  /** The number of days after which a login requires a new password. */
  readonly maximumPasswordAge?: Partial<AccountSettings["maximumPasswordAge"]> | undefined;
  /** The minimum time between two password changes. */
  readonly minimumPasswordAge?: Partial<AccountSettings["minimumPasswordAge"]> | undefined;
  /** Second factors: the available methods, and the users that need one. Since 1.26.0. */
  readonly multiFactorConfiguration?: GivenMultiFactorSettings | undefined;
  /** The rules for new passwords. */
  readonly passwordValidationRules?:
    | (Partial<Omit<PasswordRules, "breachDetection" | "rememberPreviousPasswords">> & {
        readonly breachDetection?: Partial<BreachDetection> | undefined;
        readonly rememberPreviousPasswords?: Partial<PasswordRules["rememberPreviousPasswords"]> | undefined;
      })
    | undefined;
  /** Texts, and the verification of phone numbers. Since 1.59.0. */
  readonly phoneConfiguration?: GivenPhoneSettings | undefined;
  /** Limits of calls that send a message or can guess a secret. */
  readonly rateLimitConfiguration?: { readonly [Name in RateLimitName]?: Partial<RateLimit> | undefined } | undefined;
  /** Passkeys: the RP ID and the workflows. Since 1.41.0. */
  readonly webAuthnConfiguration?: GivenPasskeySettings | undefined;
}

const withSuffix = (values: Readonly<Record<string, unknown>>, suffix: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}${suffix}`, value]));

/** The default settings of tenants. Sources: docs/reference/account-settings.md. */
export const defaultAccountSettings: AccountSettings = {
  emailConfiguration: {
    implicitEmailVerificationAllowed: true,
    unverified: { allowEmailChangeWhenGated: false, behavior: "Allow" },
    verificationStrategy: "ClickableLink",
    verifyEmail: false,
    verifyEmailWhenChanged: false,
  },
  externalIdentifierConfiguration: {
    ...withSuffix(idGenerators, "Generator"),
    ...withSuffix(idLifetimes, "TimeToLiveInSeconds"),
  } as IdSettings,
  failedAuthenticationConfiguration: {
    actionCancelPolicy: { onPasswordReset: false },
    actionDuration: 3,
    actionDurationUnit: "MINUTES",
    emailUser: false,
    resetCountInSeconds: 60,
    tooManyAttempts: 5,
  },
  maximumPasswordAge: { days: 180, enabled: false },
  minimumPasswordAge: { enabled: false, seconds: 30 },
  multiFactorConfiguration: defaultMultiFactorSettings,
  passwordValidationRules: {
    breachDetection: { enabled: false, matchMode: "High", onLogin: "Off" },
    disallowUserLoginId: false,
    maxLength: 256,
    minLength: 8,
    rememberPreviousPasswords: { count: 1, enabled: false },
    requireMixedCase: false,
    requireNonAlpha: false,
    requireNumber: false,
    validateOnLogin: false,
  },
  phoneConfiguration: defaultPhoneSettings,
  rateLimitConfiguration: Object.fromEntries(
    rateLimitNames.map((name) => [name, { enabled: false, limit: 5, timePeriodInSeconds: 60 }]),
  ) as RateLimits,
  webAuthnConfiguration: defaultPasskeySettings,
};

const settingsOfTenants = new WeakMap<Partial<AccountSettings>, AccountSettings>();

/**
 * Returns the settings of a tenant, with defaults for tenants of earlier versions. Memoized by the parsed tenant, since several
 * steps of a call need them.
 */
export function accountSettingsOf(tenant: Partial<AccountSettings>): AccountSettings {
  let settings = settingsOfTenants.get(tenant);
  if (settings === undefined) {
    settings = withDefaults(defaultAccountSettings, tenant) as AccountSettings;
    settingsOfTenants.set(tenant, settings);
  }
  return settings;
}

function withDefaults(defaults: unknown, value: unknown): unknown {
  if (value === undefined) return defaults;
  if (!isObject(defaults) || !isObject(value)) return value;
  const filled = Object.entries(defaults).map(([name, own]) => [name, withDefaults(own, value[name])]);
  return { ...value, ...Object.fromEntries(filled) };
}
