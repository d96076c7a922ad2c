/** The path of the assertion consumer service: where identity providers post their responses. */
export const consumerPath = "/samlv2/acs";

/** The path to which identity providers of all protocols send users back. */
export const callbackPath = "/oauth2/callback";

/**
 * Returns the URL of the assertion consumer service of a login. Where users come back to the pages of this service, it is `/samlv2/acs` beside
 * them; any other URL is the caller's own, who passes the response on.
 */
export function toConsumerUrl(redirectUri: string): string {
  return redirectUri.endsWith(callbackPath) ? redirectUri.slice(0, -callbackPath.length) + consumerPath : redirectUri;
}

/** Returns the entity id of this service for an identity provider that names none: `/samlv2/sp/` and the id of the provider. */
export function toEntityId(consumerUrl: string, identityProviderId: string): string {
  const place = consumerUrl.lastIndexOf(consumerPath);
  const base = place < 0 ? new URL(consumerUrl).origin : consumerUrl.slice(0, place);
  return `${base}/samlv2/sp/${identityProviderId}`;
}
