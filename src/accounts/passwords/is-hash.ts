import type { Passwords } from "../../security/password.js";
import { isHashText } from "../../security/password-hashes/parse-hash.js";

/**
 * Whether what somebody gives as a plain-text password is the hash of one, of a known format or of a scheme of the host. Taken as a password,
 * the text would let everybody log in who has the database that it comes from.
 */
export function isHash(password: string, passwords: Passwords): boolean {
  return isHashText(password) || passwords.isOfHost(password);
}
