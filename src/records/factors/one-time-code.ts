// Blanks, dashes, and marks that nobody sees, which a copied text brings along.
const separators = /[\s\p{Pd}\p{Cf}−]/gu;

/**
 * A code as it is compared. Case, spaces and hyphens do not count, wherever they stand: people type the groups that they read. Wide digits
 * of an input method are the plain ones.
 */
export function foldOneTimeCode(text: string): string {
  return text.normalize("NFKC").replace(separators, "").toUpperCase();
}
