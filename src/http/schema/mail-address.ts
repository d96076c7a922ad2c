// No sign that would need quotes, begin another address or another line: such addresses are real, and nobody's.
const addressShape = /^[^\s@<>()[\],;:\\"\p{C}]{1,64}@[^\s@<>()[\],;:\\"\p{C}]{1,255}$/u;

const maxNameLength = 320;

/** Whether a text is the address of one mailbox, as it may stand in the header of a mail. */
export function isMailAddress(text: string): boolean {
  return addressShape.test(text);
}

/** Whether a text can be the name beside an address: one line. */
export function isMailName(text: string): boolean {
  return text.length <= maxNameLength && !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed();
}

/** A text as a header can hold it, on one line and cut off after 1,000 characters: line breaks and other controls become blanks. */
export function toHeaderText(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return line.slice(0, maxHeaderLength).toWellFormed();
}

const maxHeaderLength = 1_000;
