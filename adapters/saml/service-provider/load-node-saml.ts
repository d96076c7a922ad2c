import { loadPackage } from "latchkey/ports";

/** Loads the library for service providers, with the first login by SAML. @throws Error that names the command where it is not installed. */
export function loadNodeSaml(): typeof import("@node-saml/node-saml") {
  return loadPackage(import.meta.url, "@node-saml/node-saml", "latchkey/saml");
}
