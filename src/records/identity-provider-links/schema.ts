import { data, id, object, requiredText, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import type { IdentityProviderType } from "../identity-providers/schema.js";

/** Writable fields of a link (docs/reference/users.md#links). */
export interface IdentityProviderLinkFields {
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The display name of the user at the provider. */
  readonly displayName?: string | undefined;
  /** The identity provider: one that serves the tenant of the user. */
  readonly identityProviderId: string;
  /** The user's id at the provider: 1 to 255 characters, as the provider writes it. */
  readonly identityProviderUserId: string;
  /** A token of the provider, stored encrypted. Events do not show it. */
  readonly token?: string | undefined;
  /** The user; required. */
  readonly userId: string;
}

type AccountMember = "displayName" | "identityProviderId" | "identityProviderUserId";

/** A link of a user to an account at an identity provider, on the wire. */
export interface IdentityProviderLink extends BaseRecord, IdentityProviderLinkFields {
  /** The name of the provider; absent if the provider is not stored. */
  readonly identityProviderName?: string | undefined;
  /** The type of the provider, such as `Google`. */
  readonly identityProviderType?: IdentityProviderType | undefined;
  /** The last login by the account, in epoch milliseconds; absent before the first one. */
  readonly lastLoginInstant?: number | undefined;
  /** The tenant of the user. */
  readonly tenantId: string;
}

/** The body of POST: an account, or a pending link. */
export interface IdentityProviderLinkRequest {
  /** The fields; `userId` is required, and without a pending link the account. */
  readonly identityProviderLink: Partial<IdentityProviderLinkFields> & Pick<IdentityProviderLinkFields, "userId">;
  /** The id of a pending link. It works once. */
  readonly pendingIdPLinkId?: string | undefined;
}

/** A pending link: an account, and its data from the provider. */
export interface PendingIdPLink extends Pick<IdentityProviderLinkFields, AccountMember> {
  /** The email address at the provider. */
  readonly email?: string | undefined;
  /** The login name at the provider. */
  readonly username?: string | undefined;
}

export type ParsedIdentityProviderLinkRequest = IdentityProviderLinkRequest & {
  readonly identityProviderLink: Omit<IdentityProviderLinkFields, AccountMember> & {
    /** Set by a login, never by a body. */
    readonly lastLoginInstant?: number | undefined;
  };
};

const maxExternalId = 255;

export const identityProviderLinkRequest: Schema<ParsedIdentityProviderLinkRequest> = object({
  identityProviderLink: object({
    data: data().default({}),
    displayName: text().optional(),
    identityProviderId: id().optional(),
    identityProviderUserId: requiredText(maxExternalId).optional(),
    token: text().optional(),
    userId: id(),
  }),
  pendingIdPLinkId: text().optional(),
});

export const pendingLinkRequest: Schema<{ readonly pendingIdPLink: PendingIdPLink }> = object({
  pendingIdPLink: object({
    displayName: text().optional(),
    email: text().optional(),
    identityProviderId: id(),
    identityProviderUserId: requiredText(maxExternalId),
    username: text().optional(),
  }),
});
