import { findPackage, type PasswordConnector } from "latchkey/ports";
import { authenticate } from "./authenticate.js";

/**
 * Checks passwords against LDAP directories, such as Active Directory and OpenLDAP, for connectors of the type `LDAP`
 * (docs/ldap.md). Pass it in the option `connectors`. The first login loads the package `ldapts`.
 * @throws TypeError where it is not installed.
 */
export function ldapConnector(): PasswordConnector {
  findPackage(import.meta.url, "ldapts", "ldapConnector()");
  return { type: "LDAP", authenticate };
}
