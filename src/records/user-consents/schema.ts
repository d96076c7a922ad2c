import { data, id, object, option, type Schema, textSet } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import type { Consent } from "../consents/schema.js";

/** What a {@link UserConsentStatus} can be. */
export const userConsentStatuses = ["Active", "Revoked"] as const;

/** Whether a consent still holds. */
export type UserConsentStatus = (typeof userConsentStatuses)[number];

/** What a caller may say about a user's consent (docs/reference/forms.md#consents). Who consents to what is said on POST only. */
export interface UserConsentFields {
  /** The consent that it is about. Fixed after creation. */
  readonly consentId: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Who consents: the user, or somebody on behalf of the user. */
  readonly giverUserId: string;
  /** Whether it holds. Default `Active`; DELETE sets `Revoked`. */
  readonly status: UserConsentStatus;
  /** The user whom it is for. Fixed after creation. */
  readonly userId: string;
  /** Some of the values of the consent; more than one where it allows several. */
  readonly values: readonly string[];
}

/** A user's consent on the wire, with what is consented to. */
export interface UserConsent extends BaseRecord, UserConsentFields {
  /** The consent that it is about, as it is now. */
  readonly consent?: Consent | undefined;
}

/** The body of POST. */
export interface UserConsentRequest {
  /** The fields; `consentId`, `giverUserId` and `userId` are required. */
  readonly userConsent: Partial<UserConsentFields> & Pick<UserConsentFields, "consentId" | "giverUserId" | "userId">;
}

/** The body of PUT. A status that is not given stays. */
export interface UserConsentUpdate {
  /** The new status, values and metadata. */
  readonly userConsent: Partial<UserConsentFields>;
}

/** A request whose defaults are filled in. */
export interface ParsedUserConsentRequest {
  readonly userConsent: {
    readonly consentId?: string | undefined;
    readonly data: Record<string, unknown>;
    readonly giverUserId?: string | undefined;
    readonly status?: UserConsentStatus | undefined;
    readonly userId?: string | undefined;
    readonly values: readonly string[];
  };
}

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
