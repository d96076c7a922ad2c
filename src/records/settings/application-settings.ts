import type { ApplicationMultiFactorSettings } from "./multi-factor-settings.js";
import { type ApplicationPasskeySettings, defaultApplicationPasskeySettings } from "./passkey-settings.js";
import type { TextTemplateIds } from "./phone-settings.js";
import type { MailTemplateIds, UnverifiedBehavior, VerificationStrategy } from "./tenant-settings.js";

/** The account flow settings of an application (docs/reference/account-settings.md). */
export interface ApplicationAccountSettings {
  /** Email templates that take precedence over the tenant's. */
  readonly emailConfiguration: MailTemplateIds & { readonly emailVerificationEmailTemplateId?: string | undefined };
  /** Second factors that differ from the tenant's. Since 1.26.0. */
  readonly multiFactorConfiguration: ApplicationMultiFactorSettings;
  readonly passwordlessConfiguration: {
    /** Whether the mail contains a link, or a code to type. Default `ClickableLink`. */
    readonly emailLoginStrategy: VerificationStrategy;
    /** Whether users can log in without a password. Default false. */
    readonly enabled: boolean;
    /** The same for text messages. Since 1.59.0. Default `ClickableLink`. */
    readonly phoneLoginStrategy: VerificationStrategy;
  };
  /** Message templates that take precedence over the tenant's. Since 1.59.0. */
  readonly phoneConfiguration: TextTemplateIds;
  /** The rights of users before the registration is verified. Default `Allow`. */
  readonly unverified: { readonly behavior: UnverifiedBehavior };
  /** The template of the mail that verifies a registration; absent: no mail. */
  readonly verificationEmailTemplateId?: string | undefined;
  /** Whether the mail that verifies a registration contains a link, or a code to type. Default `ClickableLink`. */
  readonly verificationStrategy: VerificationStrategy;
  /** Whether new registrations must be verified. Default false. */
  readonly verifyRegistration: boolean;
  /** The workflows of passkeys that differ from the tenant's. Since 1.41.0. */
  readonly webAuthnConfiguration: ApplicationPasskeySettings;
}

/** Returns the settings of an application, with defaults for applications of earlier versions. */
export function applicationSettingsOf(application: Partial<ApplicationAccountSettings> | undefined): ApplicationAccountSettings {
  return { ...defaultApplicationSettings, ...application };
}

/** Defaults of applications. */
export const defaultApplicationSettings: ApplicationAccountSettings = {
  emailConfiguration: {},
  multiFactorConfiguration: { email: {}, sms: {} },
  passwordlessConfiguration: { emailLoginStrategy: "ClickableLink", enabled: false, phoneLoginStrategy: "ClickableLink" },
  phoneConfiguration: {},
  unverified: { behavior: "Allow" },
  verificationStrategy: "ClickableLink",
  verifyRegistration: false,
  webAuthnConfiguration: defaultApplicationPasskeySettings,
};
