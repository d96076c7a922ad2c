import { data, id, object, option, type Schema, textSet } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import type { Consent } from "../consents/schema.js";

/** The values of a {@link UserConsentStatus}. */
export const userConsentStatuses = ["Active", "Revoked"] as const;

/** Whether a consent is active. */
export type UserConsentStatus = (typeof userConsentStatuses)[number];

/** Writable fields of a user's consent (docs/reference/forms.md#consents). */
export interface UserConsentFields {
  /** The id of the consent. Fixed after creation. */
  readonly consentId: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The consenting user: the user itself, or another one on its behalf. */
  readonly giverUserId: string;
  /** Whether it is active. Default `Active`; DELETE sets `Revoked`. */
  readonly status: UserConsentStatus;
  /** The user that the consent applies to. Fixed after creation. */
  readonly userId: string;
  /** The chosen values of the consent; more than one if it allows several. */
  readonly values: readonly string[];
}

/** A user's consent on the wire. */
export interface UserConsent extends BaseRecord, UserConsentFields {
  /** The current consent record. */
  readonly consent?: Consent | undefined;
}

/** The body of POST. */
export interface UserConsentRequest {
  /** The fields; `consentId`, `giverUserId` and `userId` are required. */
  readonly userConsent: Partial<UserConsentFields> & Pick<UserConsentFields, "consentId" | "giverUserId" | "userId">;
}

/** The body of PUT. An absent status stays. */
export interface UserConsentUpdate {
  /** The new status, values and metadata. */
  readonly userConsent: Partial<UserConsentFields>;
}

export type ParsedUserConsentRequest = {
  readonly userConsent: Partial<UserConsentFields> & Pick<UserConsentFields, "data" | "values">;
};

export const userConsentRequest: Schema<ParsedUserConsentRequest> = object({
  userConsent: object({
    consentId: id().optional(),
    data: data().default({}),
    giverUserId: id().optional(),
    status: option(userConsentStatuses).optional(),
    userId: id().optional(),
    values: textSet().default([]),
  }),
});
