import { isAscii } from "../../shared/text.js";

/**
 * Normalizes a password to hash or check it: RFC 8265, OpaqueString. Keyboards and systems differ in composed letters and in
 * spaces. Case, width and everything else stay.
 */
export function normalizePassword(typed: string): string {
  return isAscii(typed) ? typed : typed.replace(/\p{Zs}/gu, " ").normalize("NFC");
}
