import { isAscii } from "../shared/text.js";

/**
 * Whether a name has no invisible character, such as a zero-width space, with which two names would look alike. Allows the
 * joiners that shape words in some languages.
 */
export function isReadableName(name: string): boolean {
  return isAscii(name) || !/[\p{Cf}--[\u200c\u200d]]|(?<![\p{M}\p{sc=Arabic}])[\u200c\u200d]/v.test(name);
}
