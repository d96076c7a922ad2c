import { SignInError } from "latchkey";
import type { ProviderSettings } from "./provider-settings.js";

/** The path of the assertion consumer service: where identity providers post their responses. */
export const consumerPath = "/samlv2/acs";

/** The path to which identity providers of all protocols send users back. */
export const callbackPath = "/oauth2/callback";

/** What decides where responses of a login are posted to. */
export interface ConsumerOptions {
  /** What the caller says. */
  readonly redirectUri: string | undefined;
  /** Whether the identity provider started the login: such responses have a URL for each provider. */
  readonly isInitiated: boolean;
  readonly publicUrl: string | undefined;
}

/**
 * Returns the URL that responses of a login are posted to. It is `/samlv2/acs` of this service, or a URL that the provider's record names among
 * its alternates: an address that the caller chooses alone would have a provider send assertions anywhere.
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
 * Returns the entity id of this service for an identity provider: what the record says, or `/samlv2/sp/` and the id of the provider.
 * @throws SignInError `refused` without either.
 */
export function findEntityId({ entityId, id }: ProviderSettings, publicUrl: string | undefined): string {
  if (entityId !== undefined) return entityId;
  if (publicUrl === undefined)
    throw new SignInError("refused", "SAML needs the option publicUrl, or an issuer of the identity provider.");
  return `${publicUrl}/samlv2/sp/${id}`;
}
