import type { IdentityProviderClient } from "latchkey";

/**
 * Logins by SAML 2.0: this service is a service provider. Pass it in the option `identityProviders`, for identity providers of the types `SAMLv2` and
 * `SAMLv2IdPInitiated`. It needs the packages `@node-saml/node-saml` and `xml-crypto`, and loads them with the first login. See docs/saml.md.
 */
export function samlLogins(): IdentityProviderClient {
  return {
    types: ["SAMLv2", "SAMLv2IdPInitiated"],
    start: async (login, host) => (await import("./service-provider/start-login.js")).startLogin(login, host),
    complete: async (answer, host) => (await import("./service-provider/complete-login.js")).completeLogin(answer, host),
  };
}
