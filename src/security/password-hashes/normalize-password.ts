import { isAscii } from "../../shared/text.js";

/**
 * A password as it is hashed and checked: RFC 8265, OpaqueString. Keyboards and systems compose letters in different ways and have spaces
 * of their own. Case, width and everything else count.
 */
export function normalizePassword(typed: string): string {
  return isAscii(typed) ? typed : typed.replace(/\p{Zs}/gu, " ").normalize("NFC");
}
