import type { ApplicationMultiFactorSettings } from "./multi-factor-settings.js";
import { type ApplicationPasskeySettings, defaultApplicationPasskeySettings } from "./passkey-settings.js";
import type { TextTemplateIds } from "./phone-settings.js";
import type { MailTemplateIds, UnverifiedBehavior, VerificationStrategy } from "./tenant-settings.js";

/** The settings of an application that account flows follow (docs/reference/account-settings.md). */
export interface ApplicationAccountSettings {
  /** Templates that take precedence over the tenant's. */
  readonly emailConfiguration: MailTemplateIds & { readonly emailVerificationEmailTemplateId?: string | undefined };
  /** Second factors, where they differ from the tenant's. Since 1.26.0. */
  readonly multiFactorConfiguration: ApplicationMultiFactorSettings;
  readonly passwordlessConfiguration: {
    /** Whether the mail of a login without a password holds a link, or a code to type. Default `ClickableLink`. */
    readonly emailLoginStrategy: VerificationStrategy;
    /** Whether users may log in without a password. Default false. */
    readonly enabled: boolean;
    /** The same of the text. Since 1.59.0. Default `ClickableLink`. */
    readonly phoneLoginStrategy: VerificationStrategy;
  };
  /** Message templates that take precedence over the tenant's. Since 1.59.0. */
  readonly phoneConfiguration: TextTemplateIds;
  /** What a user may do before the registration is verified. Default `Allow`. */
  readonly unverified: { readonly behavior: UnverifiedBehavior };
  /** The template of the mail that verifies a registration; no mail where it is absent. */
  readonly verificationEmailTemplateId?: string | undefined;
  /** Whether the mail that verifies a registration holds a link, or a code to type. Default `ClickableLink`. */
  readonly verificationStrategy: VerificationStrategy;
  /** Whether new registrations must be verified. Default false. */
  readonly verifyRegistration: boolean;
  /** The workflows of passkeys, where they differ from the tenant's. Since 1.41.0. */
  readonly webAuthnConfiguration: ApplicationPasskeySettings;
}

/** The settings of an application. One that an earlier version stored lacks them: it has the defaults. */
export function applicationSettingsOf(application: Partial<ApplicationAccountSettings> | undefined): ApplicationAccountSettings {
  return { ...defaultApplicationSettings, ...application };
}

/** What an application that says nothing has. */
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
