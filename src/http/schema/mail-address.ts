// No character that would need quotes, or begin another address or line: legal, but not in use.
const addressShape = /^[^\s@<>()[\],;:\\"\p{C}]{1,64}@[^\s@<>()[\],;:\\"\p{C}]{1,255}$/u;

const maxNameLength = 320;

/** Whether a text is the address of one mailbox, as the header of a mail may have it. */
export function isMailAddress(text: string): boolean {
  return addressShape.test(text);
}

/** Whether a text can be the name beside an address: one line. */
export function isMailName(text: string): boolean {
  return text.length <= maxNameLength && !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed();
}

/** A text for a header, on one line and cut off after 1,000 characters: line breaks and other controls become blanks. */
export function toHeaderText(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return line.slice(0, maxHeaderLength).toWellFormed();
}

const maxHeaderLength = 1_000;
