import { type RateLimitName, rateLimitNames } from "../../availability/availability.js";
import { isObject } from "../../shared/objects.js";
import { defaultMultiFactorSettings, type GivenMultiFactorSettings, type MultiFactorSettings } from "./multi-factor-settings.js";
import { defaultPasskeySettings, type GivenPasskeySettings, type PasskeySettings } from "./passkey-settings.js";
import { defaultPhoneSettings, type GivenPhoneSettings, type PhoneSettings } from "./phone-settings.js";

/** How the ids or codes of a flow are generated. */
export interface SecureGenerator {
  /** Characters; bytes where the type is `randomBytes`. */
  readonly length: number;
  /** Letters and digits are upper case and leave out those that look alike; bytes are written in base64url. */
  readonly type: "randomAlpha" | "randomAlphaNumeric" | "randomBytes" | "randomDigits";
}

/** The lifetimes of ids and codes, in seconds. A tenant has each with the suffix `TimeToLiveInSeconds`. */
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

/** The names of generators of ids. A tenant has each with the suffix `Generator`. */
export const idNames = [
  "changePasswordId",
  "emailVerificationId",
  "passwordlessLogin",
  "phoneVerificationId",
  "registrationVerificationId",
  "setupPasswordId",
] as const;

/** The names of generators of codes, likewise. */
export const codeNames = [
  "emailVerificationOneTimeCode",
  "passwordlessLoginOneTimeCode",
  "phoneVerificationOneTimeCode",
  "registrationVerificationOneTimeCode",
  "twoFactorOneTimeCodeId",
] as const;

/** The name of a generator. */
export type GeneratorName = (typeof idNames)[number] | (typeof codeNames)[number];

/** How ids and codes are generated where a tenant says nothing. */
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

/** Generators and lifetimes of the ids and codes that account flows issue. */
export type IdSettings = {
  readonly [Name in keyof typeof idLifetimes as `${Name}TimeToLiveInSeconds`]: number;
} & { readonly [Name in GeneratorName as `${Name}Generator`]: SecureGenerator };

/** Whether a person clicks a link, or types a code into the form that started the flow. */
export type VerificationStrategy = "ClickableLink" | "FormField";

/** What a user may do before the address is verified. */
export type UnverifiedBehavior = "Allow" | "Gated";

/** The mails of account flows that a tenant and its applications can name a template for, each with the suffix `EmailTemplateId`. */
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

/** The id of the template of each mail; no mail where it is absent. An application's own take precedence over the tenant's. */
export type MailTemplateIds = { readonly [Name in FlowMailName as `${Name}EmailTemplateId`]?: string | undefined };

/** The paths of the ids of templates in a tenant or an application, each with the table of its target. */
export const templateReferences: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...[...flowMails, "emailVerification", "verification"].map((name) => `emailConfiguration.${name}EmailTemplateId`),
    "multiFactorConfiguration.email.templateId",
  ].map((path) => [path, "emailTemplates"]),
);

/** The mails of a tenant, and how it verifies addresses. */
export type EmailSettings = MailTemplateIds & VerificationSettings;

/** The sender of a tenant's mails, and how it verifies addresses. */
export interface VerificationSettings {
  /** The sender of mails whose template names none. */
  readonly defaultFromEmail?: string | undefined;
  /** The name of that sender. */
  readonly defaultFromName?: string | undefined;
  /** Whether a flow that a user can only end by reading a mail verifies the address of that mail. Default true. */
  readonly implicitEmailVerificationAllowed: boolean;
  /** What users may do before the address is verified. Default `Allow`. */
  readonly unverified: {
    /** Whether a gated user may replace an address that is not verified. Default false. */
    readonly allowEmailChangeWhenGated: boolean;
    /** `Gated`: a login is 212 until the address is verified, while `verifyEmail` is on. */
    readonly behavior: UnverifiedBehavior;
  };
  /** The template of the mail that verifies an address. */
  readonly verificationEmailTemplateId?: string | undefined;
  /** Whether that mail holds a link, or a code to type. Default `ClickableLink`. */
  readonly verificationStrategy: VerificationStrategy;
  /** Whether new users must verify their address. Default false. */
  readonly verifyEmail: boolean;
  /** Whether a changed address must be verified again. Default false. */
  readonly verifyEmailWhenChanged: boolean;
}

/** Whether passwords are looked up among breached ones. */
export interface BreachDetection {
  /** Default false. */
  readonly enabled: boolean;
  /** What counts as breached: `High` the password alone, `Medium` with the user's login id, `Low` also a common one. Default `High`. */
  readonly matchMode: "High" | "Low" | "Medium";
  /** The template of the mail to a user who logs in with a breached password. */
  readonly notifyUserEmailTemplateId?: string | undefined;
  /** What a login with a breached password does. Default `Off`. */
  readonly onLogin: "NotifyUser" | "Off" | "RecordOnly" | "RequireChange";
}

/** The rules for new passwords. Lengths are in UTF-16 units. */
export interface PasswordRules {
  /** Whether breached passwords are refused. */
  readonly breachDetection: BreachDetection;
  /** Whether a password that contains the user's email, username or phone number is refused. Default false. */
  readonly disallowUserLoginId: boolean;
  /** Default 256. */
  readonly maxLength: number;
  /** Default 8. */
  readonly minLength: number;
  /** Refuses as many earlier passwords of a user. Default off. */
  readonly rememberPreviousPasswords: { readonly count: number; readonly enabled: boolean };
  /** Whether upper and lower case letters are needed. Default false. */
  readonly requireMixedCase: boolean;
  /** Whether a character that is no letter is needed. Default false. */
  readonly requireNonAlpha: boolean;
  /** Whether a digit is needed. Default false. */
  readonly requireNumber: boolean;
  /** Whether a login with a password that breaks these rules must choose another. Default false. */
  readonly validateOnLogin: boolean;
}

/** At most `limit` calls in `timePeriodInSeconds`, for one user. */
export interface RateLimit {
  /** Default false. */
  readonly enabled: boolean;
  /** Default 5. */
  readonly limit: number;
  /** Default 60. */
  readonly timePeriodInSeconds: number;
}

/** Limits of calls that send a message or guess a secret. */
export type RateLimits = Readonly<Record<RateLimitName, RateLimit>>;

/** What happens to users whose logins fail too often, beside what the option `throttle` says of all tenants. */
export interface FailedLoginSettings {
  /** When the action ends early. */
  readonly actionCancelPolicy: { readonly onPasswordReset: boolean };
  /** How long the action lasts, in units. Default 3. */
  readonly actionDuration: number;
  /** Default `MINUTES`. */
  readonly actionDurationUnit: "DAYS" | "HOURS" | "MINUTES" | "MONTHS" | "WEEKS" | "YEARS";
  /** Whether the user gets a mail. Default false. */
  readonly emailUser: boolean;
  /** How long failures count. Default 60. */
  readonly resetCountInSeconds: number;
  /** How many failures are too many. Default 5. */
  readonly tooManyAttempts: number;
  /** The user action that is taken; none where it is absent. */
  readonly userActionId?: string | undefined;
}

/** The settings of a tenant that account flows follow (docs/reference/account-settings.md). */
export interface AccountSettings {
  /** Mails, and the verification of addresses. */
  readonly emailConfiguration: EmailSettings;
  /** Generators and lifetimes of ids and codes. */
  readonly externalIdentifierConfiguration: IdSettings;
  /** What happens after failed logins. */
  readonly failedAuthenticationConfiguration: FailedLoginSettings;
  /** After so many days a login asks for another password. Default off, 180. */
  readonly maximumPasswordAge: { readonly days: number; readonly enabled: boolean };
  /** So long a user must wait before changing a password again. Default off, 30. */
  readonly minimumPasswordAge: { readonly enabled: boolean; readonly seconds: number };
  /** Second factors: the methods that users can add, and when a login asks for one. Since 1.26.0. */
  readonly multiFactorConfiguration: MultiFactorSettings;
  /** The rules for new passwords. */
  readonly passwordValidationRules: PasswordRules;
  /** Texts, and the verification of phone numbers. Since 1.59.0. */
  readonly phoneConfiguration: PhoneSettings;
  /** Limits of calls that send a message or guess a secret. */
  readonly rateLimitConfiguration: RateLimits;
  /** Passkeys: the domain that they are for, and the workflows that users have. Since 1.41.0. */
  readonly webAuthnConfiguration: PasskeySettings;
}

/** The settings of a tenant as a caller gives them: what is left out has its default. */
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
  /** What happens after failed logins. */
  readonly failedAuthenticationConfiguration?:
    | (Partial<Omit<FailedLoginSettings, "actionCancelPolicy">> & {
        readonly actionCancelPolicy?: Partial<FailedLoginSettings["actionCancelPolicy"]> | undefined;
      })
    | undefined;
  /** After so many days a login asks for another password. */
  readonly maximumPasswordAge?: Partial<AccountSettings["maximumPasswordAge"]> | undefined;
  /** So long a user must wait before changing a password again. */
  readonly minimumPasswordAge?: Partial<AccountSettings["minimumPasswordAge"]> | undefined;
  /** Second factors: the methods that users can add, and when a login asks for one. Since 1.26.0. */
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
  /** Limits of calls that send a message or guess a secret. */
  readonly rateLimitConfiguration?: { readonly [Name in RateLimitName]?: Partial<RateLimit> | undefined } | undefined;
  /** Passkeys: the domain that they are for, and the workflows that users have. Since 1.41.0. */
  readonly webAuthnConfiguration?: GivenPasskeySettings | undefined;
}

const withSuffix = (values: Readonly<Record<string, unknown>>, suffix: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}${suffix}`, value]));

/** What a tenant that says nothing has. Sources: docs/reference/account-settings.md. */
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
 * The settings of a tenant, worked out once for each tenant that was parsed: steps of a call ask for them one after the other. A tenant that an earlier version
 * stored lacks members: those have their defaults.
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
