import { assertKnownOptions, type OptionNames } from "latchkey";
import type { IdentityProviderClient } from "latchkey/ports";
import { lazily } from "../../internal/async.js";
import { type ProviderEndpoints, providerRows } from "./rows.js";

const loadLogins = lazily(() => import("./logins.js"));

export type { ProviderEndpoints } from "./rows.js";

/** Options of {@link openIdConnectLogins}. */
export interface OpenIdConnectLoginOptions {
  /**
   * Other endpoints of providers by type, such as a regional host or a test: `{ Google: { issuer: "…" } }`. Default: the
   * published endpoints.
   */
  readonly endpoints?: Readonly<Record<string, ProviderEndpoints>> | undefined;
}

const endpointNames: OptionNames<ProviderEndpoints> = {
  authorization_endpoint: "text",
  inspection_endpoint: "text",
  issuer: "text",
  token_endpoint: "text",
  userinfo_endpoint: "text",
};
const names: OptionNames<OpenIdConnectLoginOptions> = { endpoints: "object" };

const otherTypes = ["ExternalJWT", "HYPR", "Steam", "Twitter"];

/**
 * Logs users in with OpenID Connect, OAuth 2.0 and providers with their own protocols:
 * `createIdentityService({ storage, identityProviders: [openIdConnectLogins()] })`. Supports every type but `SAMLv2` and
 * `SAMLv2IdPInitiated`. The packages `openid-client` and `jose` load at the first login.
 * @throws TypeError when an option is wrong.
 */
export function openIdConnectLogins(options: OpenIdConnectLoginOptions = {}): IdentityProviderClient {
  assertKnownOptions("", options, names);
  const { endpoints = {} } = options;
  for (const [type, given] of Object.entries(endpoints)) assertKnownOptions(`endpoints.${type}`, given, endpointNames);
  return {
    types: [...Object.keys(providerRows), ...otherTypes],
    polledTypes: ["HYPR"],
    start: async (login, host) => (await loadLogins()).startLogin({ endpoints, host }, login),
    complete: async (answer, host) => (await loadLogins()).completeLogin({ endpoints, host }, answer),
  };
}
