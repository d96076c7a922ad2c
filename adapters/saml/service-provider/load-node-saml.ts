import { loadPackage } from "latchkey/ports";

/**
 * Loads the library for service providers, at the first SAML login.
 * @throws Error with the command that installs it, where it is missing.
 */
export function loadNodeSaml(): typeof import("@node-saml/node-saml") {
  return loadPackage(import.meta.url, "@node-saml/node-saml", "latchkey/saml");
}
