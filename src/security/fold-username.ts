import { foldText, isAscii } from "../shared/text.js";

/** A username as it is compared: folded, with letters and their accents composed, however they were typed (RFC 8265). */
export function foldUsername(text: string): string {
  return foldText(isAscii(text) ? text : text.normalize("NFC"));
}

/** Whether a name has no character that nobody sees, such as a blank of no width: two names would look alike. Joiners shape words of some languages. */
export function isReadableName(name: string): boolean {
  return isAscii(name) || !/[\p{Cf}--[\u200c\u200d]]|(?<![\p{M}\p{sc=Arabic}])[\u200c\u200d]/v.test(name);
}
