// Blanks, dashes, and the invisible characters of copied text.
const separators = /[\s\p{Pd}\p{Cf}−]/gu;

/**
 * Normalizes a code for comparison. Ignores case, spaces and hyphens anywhere: people type the groups that they read. Converts
 * the full-width digits of an input method.
 */
export function foldOneTimeCode(text: string): string {
  return text.normalize("NFKC").replace(separators, "").toUpperCase();
}
