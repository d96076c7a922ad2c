import { requirePeer } from "../../internal/require-peer.js";

/** Loads the library for service providers, with the first login by SAML. @throws Error that names the command where it is not installed. */
export function loadNodeSaml(): typeof import("@node-saml/node-saml") {
  return requirePeer("@node-saml/node-saml", "latchkey/saml");
}
