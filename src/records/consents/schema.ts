import { data, flag, id, integer, map, name, object, type Schema, textSet } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** The second message that some laws require after a consent for a child (docs/reference/forms.md#consents). */
export interface EmailPlus {
  /** Whether to send the second message. Default false. */
  readonly enabled: boolean;
  /** The template of the second message; required when enabled. */
  readonly emailTemplateId?: string | undefined;
  /** The latest time of the second message, in hours after the consent: 1 to 8,760. Default 48. */
  readonly maximumTimeToSendEmailInHours: number;
  /** The earliest time of the second message, in hours after the consent: 1 to 8,760. Default 24. */
  readonly minimumTimeToSendEmailInHours: number;
}

/** Writable fields of a consent (docs/reference/forms.md#consents). */
export interface ConsentFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** The template of the message about a consent; absent: none. */
  readonly consentEmailTemplateId?: string | undefined;
  /** The age in years from which people consent for themselves, by two-letter country code. */
  readonly countryMinimumAgeForSelfConsent: Record<string, number>;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The minimum age in all other countries. */
  readonly defaultMinimumAgeForSelfConsent: number;
  /** The second message about a consent. Default: not enabled. */
  readonly emailPlus: EmailPlus;
  /** Whether a user can choose several values. */
  readonly multipleValuesAllowed: boolean;
  /** The values to choose from, unique without regard to case. Empty (default): yes or no. */
  readonly values: readonly string[];
}

/** A consent on the wire: a text that users agree to. */
export interface Consent extends BaseRecord, ConsentFields {}

/** The body of POST and PUT. */
export interface ConsentRequest {
  /** The fields of the consent; `name` and `defaultMinimumAgeForSelfConsent` are required. */
  readonly consent: Partial<Omit<ConsentFields, "emailPlus">> &
    Pick<ConsentFields, "name" | "defaultMinimumAgeForSelfConsent"> & { readonly emailPlus?: Partial<EmailPlus> };
}

export type ParsedConsentRequest = { readonly consent: ConsentFields };

const maxAge = 150;
const yearInHours = 8_760;

export const consentRequest: Schema<ParsedConsentRequest> = object({
  consent: object({
    name: name(),
    consentEmailTemplateId: id().optional(),
    countryMinimumAgeForSelfConsent: map(integer(0, maxAge)).default({}),
    data: data().default({}),
    defaultMinimumAgeForSelfConsent: integer(0, maxAge),
    emailPlus: object({
      enabled: flag().default(false),
      emailTemplateId: id().optional(),
      maximumTimeToSendEmailInHours: integer(1, yearInHours).default(48),
      minimumTimeToSendEmailInHours: integer(1, yearInHours).default(24),
    }).prefault({}),
    multipleValuesAllowed: flag().default(false),
    values: textSet().default([]),
  }),
});
