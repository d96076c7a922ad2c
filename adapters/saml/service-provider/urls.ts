import { SignInError } from "latchkey";
import type { ProviderSettings } from "./provider-settings.js";

/** The path of the assertion consumer service, which receives the responses of identity providers. */
export const consumerPath = "/samlv2/acs";

/** The callback path for identity providers of all protocols. */
export const callbackPath = "/oauth2/callback";

/** The inputs for the consumer URL of a login. */
export interface ConsumerOptions {
  /** The redirect URI of the caller. */
  readonly redirectUri: string | undefined;
  /** Whether the login is IdP-initiated: such responses have one URL per provider. */
  readonly isInitiated: boolean;
  readonly publicUrl: string | undefined;
}

/**
 * Returns the URL for the responses of a login: `/samlv2/acs` of this service, or an alternate URL of the provider's record. Any
 * other URL of the caller could receive stolen assertions.
 * @throws SignInError `refused`
 */
export function findConsumerUrl(settings: ProviderSettings, { redirectUri, isInitiated, publicUrl }: ConsumerOptions): string {
  const own = publicUrl && publicUrl + consumerPath + (isInitiated ? `/${settings.id}` : "");
  if (own !== undefined && (redirectUri === undefined || redirectUri === own || redirectUri === publicUrl + callbackPath))
    return own;
  if (redirectUri !== undefined && settings.alternateDestinations.includes(redirectUri)) return redirectUri;
  throw new SignInError("refused", "The redirect_uri is none that responses of the identity provider can be posted to.");
}

/**
 * Returns the entity id of this service for an identity provider: the record's, or `/samlv2/sp/` with the id of the provider.
 * @throws SignInError `refused` without either.
 */
export function findEntityId({ entityId, id }: ProviderSettings, publicUrl: string | undefined): string {
  if (entityId !== undefined) return entityId;
  if (publicUrl === undefined)
    throw new SignInError("refused", "SAML needs the option publicUrl, or an issuer of the identity provider.");
  return `${publicUrl}/samlv2/sp/${id}`;
}
