import { FieldErrorList } from "../../errors/identity-error.js";
import { type Change, type Draft, type DraftContext, type Family, toBaseRecord } from "../../operations/family/family.js";
import type { FamilyExample } from "../../operations/family/family-row.js";
import type { WriteCall } from "../../operations/operation.js";
import { referencesAt } from "../../operations/references/references.js";
import { consentFamily, consentReferences } from "../../records/consents/family.js";
import type { Consent, ConsentRequest, ParsedConsentRequest } from "../../records/consents/schema.js";
import { foldText, formatPath } from "../../shared/text.js";

/** The family of consents (docs/reference/forms.md#consents). */
export const consents: Family<Consent, ParsedConsentRequest> = {
  ...consentFamily,
  referencesOf: referencesAt("consent", consentReferences),
  rules: { toDraft, check },
};

function toDraft(_call: WriteCall, { consent }: ParsedConsentRequest, context: DraftContext<Consent>): Draft<Consent> {
  return { record: { ...consent, ...toBaseRecord(context) }, columns: { nameFolded: foldText(consent.name) } };
}

async function check(_call: WriteCall, { draft: { record } }: Change<Consent, ParsedConsentRequest>): Promise<void> {
  const { countryMinimumAgeForSelfConsent, emailPlus } = record;
  const errors = new FieldErrorList();
  for (const country of Object.keys(countryMinimumAgeForSelfConsent))
    if (!/^[A-Za-z]{2}$/.test(country))
      errors.add("invalid", formatPath(["consent", "countryMinimumAgeForSelfConsent", country]));
  if (emailPlus.enabled && emailPlus.emailTemplateId === undefined) errors.add("missing", "consent.emailPlus.emailTemplateId");
  if (emailPlus.maximumTimeToSendEmailInHours < emailPlus.minimumTimeToSendEmailInHours)
    errors.add("invalid", "consent.emailPlus.maximumTimeToSendEmailInHours");
  errors.throwIfAny();
}

export const example: FamilyExample<ConsentRequest> = ({ number }) => ({
  consent: { name: `Consent ${number}`, defaultMinimumAgeForSelfConsent: 13 },
});
