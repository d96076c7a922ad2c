import { flag, option, type Schema, text } from "../../http/schema/fields.js";
import {
  type ApplicationPasskeySettings,
  attachmentPreferences,
  defaultPasskeySettings as defaults,
  type PasskeySettings,
  type PasskeyWorkflow,
  userVerifications,
} from "./passkey-settings.js";
import { type Fields, settings } from "./settings-fields.js";

const maxDomainLength = 253;
const maxNameLength = 191;
const domain = /^(?:localhost|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)$/;

/** An RP ID: a domain in lower case, without scheme and port. IP addresses are invalid. */
export function relyingPartyId(): Schema<string> {
  return text().max(maxDomainLength, { error: "tooLong" }).regex(domain, { error: "invalid" });
}

const workflow = (byDefault: PasskeyWorkflow): Schema<PasskeyWorkflow> =>
  settings<PasskeyWorkflow>({
    authenticatorAttachmentPreference: option(attachmentPreferences).default(byDefault.authenticatorAttachmentPreference),
    enabled: flag().default(false),
    userVerificationRequirement: option(userVerifications).default(byDefault.userVerificationRequirement),
  });

/** The schemas of a tenant's settings for passkeys, by member. */
export const passkeyFields = (): Fields<PasskeySettings> => ({
  bootstrapWorkflow: workflow(defaults.bootstrapWorkflow),
  debug: flag().default(false),
  enabled: flag().default(false),
  reauthenticationWorkflow: workflow(defaults.reauthenticationWorkflow),
  relyingPartyId: relyingPartyId().optional(),
  relyingPartyName: text().max(maxNameLength, { error: "tooLong" }).optional(),
  secondFactorWorkflow: workflow(defaults.secondFactorWorkflow),
});

const allowed = (): Schema<{ readonly enabled: boolean }> => settings({ enabled: flag().default(false) });

/** The schemas of an application's settings for passkeys, by member. */
export const applicationPasskeyFields = (): Fields<ApplicationPasskeySettings> => ({
  bootstrapWorkflow: allowed(),
  enabled: flag().default(false),
  reauthenticationWorkflow: allowed(),
  secondFactorWorkflow: allowed(),
});
