import { data, flag, id, integer, map, name, object, type Schema, textSet } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family.js";

/** The second message that some laws ask for when somebody consents for a child (docs/reference/forms.md#consents). */
export interface EmailPlus {
  readonly enabled: boolean;
  readonly emailTemplateId?: string | undefined;
  readonly maximumTimeToSendEmailInHours: number;
  readonly minimumTimeToSendEmailInHours: number;
}

/** What a caller may say about a consent (docs/reference/forms.md#consents). */
export interface ConsentFields {
  readonly name: string;
  readonly consentEmailTemplateId?: string | undefined;
  /** The age in years from which people consent for themselves, by the two letters of their country. */
  readonly countryMinimumAgeForSelfConsent: Record<string, number>;
  readonly data: Record<string, unknown>;
  /** The same age in every other country. */
  readonly defaultMinimumAgeForSelfConsent: number;
  readonly emailPlus: EmailPlus;
  /** Whether somebody may choose several of the values. */
  readonly multipleValuesAllowed: boolean;
  readonly values: readonly string[];
}

/** Something that people consent to, on the wire. */
export interface Consent extends BaseRecord, ConsentFields {}

/** The body of POST and PUT. */
export interface ConsentRequest {
  readonly consent: Partial<Omit<ConsentFields, "emailPlus">> &
    Pick<ConsentFields, "name" | "defaultMinimumAgeForSelfConsent"> & { readonly emailPlus?: Partial<EmailPlus> };
}

/** A request whose defaults are filled in. */
export interface ParsedConsentRequest {
  readonly consent: ConsentFields;
}

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
