import type { PasswordConnector } from "latchkey/types";
import { authenticate } from "./authenticate.js";

/**
 * Checks passwords against LDAP directories, such as Active Directory and OpenLDAP, for connectors of the type `LDAP` (docs/ldap.md). Pass it in the
 * option `connectors`. The package `ldapts` is loaded with the first login.
 */
export function ldapConnector(): PasswordConnector {
  return { type: "LDAP", authenticate };
}
