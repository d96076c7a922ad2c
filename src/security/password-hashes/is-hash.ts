import { isHashText, parseHash } from "./parse-hash.js";
import type { Passwords } from "./password.js";

/**
 * Whether what somebody gives as a plain-text password is the hash of one, of a known format or of a scheme of the host. Taken as a password,
 * the text would let everybody log in who has the database that it comes from.
 */
export function isHash(password: string, passwords: Passwords): boolean {
  return isHashText(password) || passwords.isOfHost(password);
}

/** Whether a text is a hash that logins can check: as {@link isHash}, without those that would take too long. */
export function isUsableHash(text: string, passwords: Passwords): boolean {
  return parseHash(text) !== undefined || passwords.isOfHost(text);
}
