import { findPackage, type IdentityProviderClient, type Protocol } from "latchkey/ports";
import { lazily } from "../internal/async.js";

const loadLogins = lazily(() => import("./service-provider/logins.js"));
const loadServer = lazily(() => import("./create-server.js"));

/**
 * Logins with SAML 2.0: this service is a service provider. Pass it in the option `identityProviders`, for identity providers of
 * the types `SAMLv2` and `SAMLv2IdPInitiated`, and `saml()` in the option `protocols`. It needs the packages
 * `@node-saml/node-saml` and `xml-crypto`, and loads them at the first login. See docs/saml.md.
 * @throws TypeError where a package is not installed.
 */
export function samlLogins(): IdentityProviderClient {
  for (const name of ["@node-saml/node-saml", "xml-crypto"]) findPackage(import.meta.url, name, "samlLogins()");
  return {
    types: ["SAMLv2", "SAMLv2IdPInitiated"],
    start: async (login, host) => (await loadLogins()).startLogin(login, host),
    complete: async (answer, host) => (await loadLogins()).completeLogin(answer, host),
  };
}

/**
 * The SAML 2.0 endpoints below `/samlv2`: those of an identity provider, which signs assertions for applications with
 * `samlv2Configuration.enabled`, and those of a service provider. Pass it in the option `protocols`, together with `oidc()`,
 * whose pages log users in. It needs the option `publicUrl` and the package `xml-crypto`, and loads at its first request.
 */
export function saml(): Protocol {
  return {
    name: "saml",
    path: "/samlv2",
    prepare: async () => void findPackage(import.meta.url, "xml-crypto", "saml()"),
    start: async (host) => (await loadServer()).createSamlServer(host),
  };
}
