import { rateLimitNames } from "../../availability/availability.js";
import {
  flag,
  id,
  integer,
  maxPasswordLength,
  object,
  option,
  type Schema,
  text,
  validatedWith,
} from "../../http/schema/fields.js";
import type { ApplicationAccountSettings } from "./application-settings.js";
import type {
  ApplicationMultiFactorSettings,
  MultiFactorLoginPolicy,
  MultiFactorSettings,
  MultiFactorTrustPolicy,
} from "./multi-factor-settings.js";
import { applicationPasskeyFields, passkeyFields } from "./passkey-schema.js";
import { flowTexts, type PhoneSettings, type TextTemplateIds } from "./phone-settings.js";
import { type Fields, settings } from "./settings-fields.js";
import {
  type AccountSettings,
  type BreachDetection,
  defaultAccountSettings,
  type EmailSettings,
  type FailedLoginSettings,
  flowMails,
  type IdSettings,
  idGenerators,
  idLifetimes,
  type MailTemplateIds,
  type PasswordRules,
  type RateLimit,
  type RateLimits,
  type SecureGenerator,
  type UnverifiedBehavior,
  type VerificationStrategy,
} from "./tenant-settings.js";

const century = 3_155_760_000;
const {
  emailConfiguration: email,
  failedAuthenticationConfiguration: failed,
  passwordValidationRules: rules,
  phoneConfiguration: phone,
} = defaultAccountSettings;

const behavior = (): Schema<UnverifiedBehavior> => option(["Allow", "Gated"]).default("Allow");

const seconds = (byDefault: number): Schema<number> => integer(1, century).default(byDefault);

// With the limits on attempts, even the minimum length cannot be guessed within the lifetime.
const generator = (byDefault: SecureGenerator): Schema<SecureGenerator> =>
  object({
    length: integer(byDefault.type === "randomBytes" ? 16 : 4, 128).default(byDefault.length),
    type: option(["randomAlpha", "randomAlphaNumeric", "randomBytes", "randomDigits"]).default(byDefault.type),
  }).prefault({});

const idFields = (): Fields<IdSettings> =>
  Object.fromEntries([
    ...Object.entries(idGenerators).map(([name, byDefault]) => [`${name}Generator`, generator(byDefault)]),
    ...Object.entries(idLifetimes).map(([name, byDefault]) => [`${name}TimeToLiveInSeconds`, seconds(byDefault)]),
  ]) as Fields<IdSettings>;

const template = (): Schema<string | undefined> => id().optional();

const templateFields = (): Fields<MailTemplateIds> =>
  Object.fromEntries(flowMails.map((name) => [`${name}EmailTemplateId`, template()])) as Fields<MailTemplateIds>;

const address = (): Schema<string | undefined> => text().max(320, { error: "tooLong" }).optional();

const emailFields = (): Fields<EmailSettings> => ({
  ...templateFields(),
  defaultFromEmail: address(),
  defaultFromName: address(),
  implicitEmailVerificationAllowed: flag().default(email.implicitEmailVerificationAllowed),
  unverified: settings<EmailSettings["unverified"]>({
    allowEmailChangeWhenGated: flag().default(email.unverified.allowEmailChangeWhenGated),
    behavior: behavior(),
  }),
  verificationEmailTemplateId: template(),
  verificationStrategy: strategy(),
  verifyEmail: flag().default(email.verifyEmail),
  verifyEmailWhenChanged: flag().default(email.verifyEmailWhenChanged),
});

const textFields = (): Fields<TextTemplateIds> =>
  Object.fromEntries(flowTexts.map((name) => [`${name}TemplateId`, template()])) as Fields<TextTemplateIds>;

const phoneFields = (): Fields<PhoneSettings> => ({
  ...textFields(),
  messengerId: id().optional(),
  implicitPhoneVerificationAllowed: flag().default(phone.implicitPhoneVerificationAllowed),
  unverified: settings<PhoneSettings["unverified"]>({ behavior: behavior() }),
  verificationStrategy: strategy(),
  verifyPhoneNumber: flag().default(phone.verifyPhoneNumber),
});

// 4,096 is the maximum of the reference; hashing does not truncate.
const passwordFields = (): Fields<PasswordRules> => ({
  breachDetection: settings<BreachDetection>({
    enabled: flag().default(false),
    matchMode: option(["High", "Low", "Medium"]).default(rules.breachDetection.matchMode),
    notifyUserEmailTemplateId: template(),
    onLogin: option(["NotifyUser", "Off", "RecordOnly", "RequireChange"]).default(rules.breachDetection.onLogin),
  }),
  disallowUserLoginId: flag().default(rules.disallowUserLoginId),
  maxLength: integer(1, maxPasswordLength).default(rules.maxLength),
  minLength: integer(1, maxPasswordLength).default(rules.minLength),
  rememberPreviousPasswords: object({
    count: integer(1, 64).default(rules.rememberPreviousPasswords.count),
    enabled: flag().default(false),
  }).prefault({}),
  requireMixedCase: flag().default(false),
  requireNonAlpha: flag().default(false),
  requireNumber: flag().default(false),
  validateOnLogin: flag().default(false),
});

function findRuleError({ maxLength, minLength }: PasswordRules): string | undefined {
  return maxLength < minLength ? `maxLength is ${maxLength}, and minLength ${minLength}.` : undefined;
}

const loginPolicy = () => option(["Disabled", "Enabled", "Required"] satisfies MultiFactorLoginPolicy[]);

const multiFactorFields = (): Fields<MultiFactorSettings> => ({
  authenticator: object({ enabled: flag().default(true) }).prefault({}),
  email: settings<MultiFactorSettings["email"]>({ enabled: flag().default(false), templateId: template() }),
  loginPolicy: loginPolicy().default("Enabled"),
  sms: settings<MultiFactorSettings["sms"]>({
    enabled: flag().default(false),
    messengerId: id().optional(),
    templateId: template(),
  }),
});

const applicationMultiFactorFields = (): Fields<ApplicationMultiFactorSettings> => ({
  email: settings<ApplicationMultiFactorSettings["email"]>({ templateId: template() }),
  loginPolicy: loginPolicy().optional(),
  sms: settings<ApplicationMultiFactorSettings["sms"]>({ templateId: template() }),
  trustPolicy: option(["Any", "None", "This"] satisfies MultiFactorTrustPolicy[]).optional(),
});

const failedLoginFields = (): Fields<FailedLoginSettings> => ({
  actionCancelPolicy: object({ onPasswordReset: flag().default(false) }).prefault({}),
  actionDuration: integer(1, century).default(failed.actionDuration),
  actionDurationUnit: option(["DAYS", "HOURS", "MINUTES", "MONTHS", "WEEKS", "YEARS"]).default(failed.actionDurationUnit),
  emailUser: flag().default(false),
  resetCountInSeconds: seconds(failed.resetCountInSeconds),
  tooManyAttempts: integer(1, 1_000_000).default(failed.tooManyAttempts),
  userActionId: template(),
});

const rateLimit = (): Schema<RateLimit> =>
  settings({
    enabled: flag().default(false),
    limit: integer(1, 1_000_000).default(5),
    timePeriodInSeconds: seconds(60),
  });

const rateLimitFields = (): Fields<RateLimits> =>
  Object.fromEntries(rateLimitNames.map((name) => [name, rateLimit()])) as Fields<RateLimits>;

/** The schemas of the account flow settings of a tenant, by member. */
export const accountSettingFields = (): Fields<AccountSettings> => ({
  emailConfiguration: settings(emailFields()),
  externalIdentifierConfiguration: settings(idFields()),
  failedAuthenticationConfiguration: settings(failedLoginFields()),
  maximumPasswordAge: object({ days: integer(1, 36_500).default(180), enabled: flag().default(false) }).prefault({}),
  minimumPasswordAge: settings({ enabled: flag().default(false), seconds: seconds(30) }),
  multiFactorConfiguration: settings(multiFactorFields()),
  passwordValidationRules: validatedWith(settings(passwordFields()), findRuleError),
  phoneConfiguration: settings(phoneFields()),
  rateLimitConfiguration: settings(rateLimitFields()),
  webAuthnConfiguration: settings(passkeyFields()),
});

const strategy = (): Schema<VerificationStrategy> => option(["ClickableLink", "FormField"]).default("ClickableLink");

/** The schemas of the account flow settings of an application, by member. */
export const applicationSettingFields = (): Fields<ApplicationAccountSettings> => ({
  emailConfiguration: settings({ ...templateFields(), emailVerificationEmailTemplateId: template() }),
  multiFactorConfiguration: settings(applicationMultiFactorFields()),
  phoneConfiguration: settings(textFields()),
  passwordlessConfiguration: settings({
    emailLoginStrategy: strategy(),
    enabled: flag().default(false),
    phoneLoginStrategy: strategy(),
  }),
  unverified: settings({ behavior: behavior() }),
  verificationEmailTemplateId: template(),
  verificationStrategy: strategy(),
  verifyRegistration: flag().default(false),
  webAuthnConfiguration: settings(applicationPasskeyFields()),
});
