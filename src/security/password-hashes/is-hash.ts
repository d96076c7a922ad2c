import { isHashText, parseHash } from "./parse-hash.js";
import type { Passwords } from "./password.js";

/**
 * Whether a plain-text password is in fact a hash, of a known format or of a scheme of the host. Stored as a password, the hash
 * itself would be the password, so a copy of its database would be enough to log in.
 */
export function isHash(password: string, passwords: Passwords): boolean {
  return isHashText(password) || passwords.isOfHost(password);
}

/** Whether logins can check a hash: like {@link isHash}, but without hashes that take too long. */
export function isUsableHash(text: string, passwords: Passwords): boolean {
  return parseHash(text) !== undefined || passwords.isOfHost(text);
}
