import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { flowTexts, type TextTemplateIds } from "../../records/settings/phone-settings.js";
import { accountSettingsOf, flowMails, type MailTemplateIds } from "../../records/settings/tenant-settings.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";

/** The requirements for sending one message of an account flow. */
export interface FlowRequirement {
  /** The cause of the message: a setting that is on or that has a template, else the call. */
  readonly cause: string;
  readonly channel: "mail" | "text";
  /** The setting of the template. */
  readonly setting: string;
  readonly templateId: string | undefined;
  /** Whether the message is only wanted with a template. */
  readonly isOptional?: boolean;
  /** Whether a text has a default without a template. */
  readonly hasDefaultText?: boolean;
  readonly messengerId?: string | undefined;
  readonly messengerSetting?: string;
}

/** The template of a mail: the application's, else the tenant's. */
function templateIdOf({ application, tenant }: LoginScope, name: keyof MailTemplateIds): string | undefined {
  return applicationSettingsOf(application).emailConfiguration[name] ?? accountSettingsOf(tenant).emailConfiguration[name];
}

/** The messenger and the template of a text: the application's template, else the tenant's. */
function textSettingsOf(
  { application, tenant }: LoginScope,
  name: keyof TextTemplateIds,
): Pick<FlowRequirement, "messengerId" | "templateId"> {
  const { phoneConfiguration: ofTenant } = accountSettingsOf(tenant);
  const { phoneConfiguration: ofApplication } = applicationSettingsOf(application);
  return { messengerId: ofTenant.messengerId, templateId: ofApplication[name] ?? ofTenant[name] };
}

/**
 * The requirement of a mail with a configurable template. Without a `cause` the mail is optional: it leaves only with a template.
 */
export function mailRequirement(place: LoginScope, name: keyof MailTemplateIds, cause?: string): FlowRequirement {
  const ofApplication = applicationSettingsOf(place.application).emailConfiguration[name] !== undefined;
  const path = `emailConfiguration.${name}`;
  return {
    cause: cause ?? `${ofApplication ? "application" : "tenant"}.${path}`,
    channel: "mail",
    isOptional: cause === undefined,
    setting: `tenant.${path}`,
    templateId: templateIdOf(place, name),
  };
}

/** The same for a text. */
export function textRequirement(place: LoginScope, name: keyof TextTemplateIds, cause?: string): FlowRequirement {
  const ofApplication = applicationSettingsOf(place.application).phoneConfiguration[name] !== undefined;
  const path = `phoneConfiguration.${name}`;
  return {
    cause: cause ?? `${ofApplication ? "application" : "tenant"}.${path}`,
    channel: "text",
    isOptional: cause === undefined,
    setting: `tenant.${path}`,
    messengerSetting: "tenant.phoneConfiguration.messengerId",
    ...textSettingsOf(place, name),
  };
}

/** The requirement of the mail that verifies an email address. */
export function emailVerificationRequirement({ application, tenant }: LoginScope): FlowRequirement {
  const own = applicationSettingsOf(application).emailConfiguration.emailVerificationEmailTemplateId;
  const { verificationEmailTemplateId, verifyEmail, verifyEmailWhenChanged } = accountSettingsOf(tenant).emailConfiguration;
  const isWhenChanged = verifyEmailWhenChanged && !verifyEmail;
  return {
    cause: `tenant.emailConfiguration.${isWhenChanged ? "verifyEmailWhenChanged" : "verifyEmail"}`,
    channel: "mail",
    setting: "tenant.emailConfiguration.verificationEmailTemplateId",
    templateId: own ?? verificationEmailTemplateId,
  };
}

/** The requirement of the text that verifies a phone number. */
export function phoneVerificationRequirement(place: LoginScope): FlowRequirement {
  return textRequirement(place, "verificationTemplateId", "tenant.phoneConfiguration.verifyPhoneNumber");
}

/** The requirement of the mail that verifies a registration. */
export function registrationVerificationRequirement({ application }: LoginScope): FlowRequirement {
  const templateId = applicationSettingsOf(application).verificationEmailTemplateId;
  const setting = "application.verificationEmailTemplateId";
  return { cause: "application.verifyRegistration", channel: "mail", setting, templateId };
}

/** The requirement of the mail or the text with the code of a second factor. */
export function secondFactorRequirement({ application, tenant }: LoginScope, method: "email" | "sms"): FlowRequirement {
  const { email, sms } = accountSettingsOf(tenant).multiFactorConfiguration;
  const own = applicationSettingsOf(application).multiFactorConfiguration;
  const path = `tenant.multiFactorConfiguration.${method}`;
  const named = { cause: `${path}.enabled`, setting: `${path}.templateId` };
  if (method === "email") return { ...named, channel: "mail", templateId: own.email.templateId ?? email.templateId };
  return {
    ...named,
    channel: "text",
    hasDefaultText: true,
    messengerId: sms.messengerId,
    messengerSetting: `${path}.messengerId`,
    templateId: own.sms.templateId ?? sms.templateId,
  };
}

/** The requirement of the mail to a user with a breached password at a login. */
export function breachRequirement({ tenant }: Pick<LoginScope, "tenant">): FlowRequirement {
  const { notifyUserEmailTemplateId: templateId } = accountSettingsOf(tenant).passwordValidationRules.breachDetection;
  const path = "tenant.passwordValidationRules.breachDetection";
  return { cause: `${path}.onLogin`, channel: "mail", setting: `${path}.notifyUserEmailTemplateId`, templateId };
}

/** The requirements of the flows and templates that a tenant enables. */
export function requirementsOfTenant(tenant: LoginScope["tenant"]): readonly FlowRequirement[] {
  const place: LoginScope = { tenant, application: undefined };
  const settings = accountSettingsOf(tenant);
  const { emailConfiguration: mail, multiFactorConfiguration: factors, phoneConfiguration: phone } = settings;
  const { enabled, onLogin } = settings.passwordValidationRules.breachDetection;
  return [
    ...(mail.verifyEmail || mail.verifyEmailWhenChanged ? [emailVerificationRequirement(place)] : []),
    ...(phone.verifyPhoneNumber ? [phoneVerificationRequirement(place)] : []),
    ...(factors.email.enabled ? [secondFactorRequirement(place, "email")] : []),
    ...(factors.sms.enabled ? [secondFactorRequirement(place, "sms")] : []),
    ...(enabled && onLogin === "NotifyUser" ? [breachRequirement(place)] : []),
    ...namedTemplates(place, mail, phone),
  ];
}

/** The same for an application. */
export function requirementsOfApplication(place: LoginScope): readonly FlowRequirement[] {
  const own = applicationSettingsOf(place.application);
  const byText = textSettingsOf(place, "passwordlessTemplateId").templateId !== undefined;
  const passwordless = "application.passwordlessConfiguration.enabled";
  return [
    ...(own.verifyRegistration ? [registrationVerificationRequirement(place)] : []),
    ...(own.passwordlessConfiguration.enabled && !byText
      ? [mailRequirement(place, "passwordlessEmailTemplateId", passwordless)]
      : []),
    ...namedTemplates(place, own.emailConfiguration, own.phoneConfiguration),
  ];
}

function namedTemplates(place: LoginScope, mail: MailTemplateIds, phone: TextTemplateIds): readonly FlowRequirement[] {
  const mails = flowMails.map((name) => `${name}EmailTemplateId` as const).filter((name) => mail[name] !== undefined);
  const texts = flowTexts.map((name) => `${name}TemplateId` as const).filter((name) => phone[name] !== undefined);
  return [...mails.map((name) => mailRequirement(place, name)), ...texts.map((name) => textRequirement(place, name))];
}
