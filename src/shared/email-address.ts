import { domainToASCII, domainToUnicode } from "node:url";
import { foldText, isAscii } from "./text.js";

// The atoms of RFC 5322 and 6531, with dots anywhere, since some providers allow them. Case folding maps ſ (long s) to s, but
// mail systems do not.
const localPart = /^[^\s"(),:;<>@[\\\]\p{C}\p{Z}\u017f]+$/u;
const encodedWord = /=\?.*\?=/;
const domainName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * Returns the normal form of an email address: NFC, lower case, the domain in ASCII (Punycode). Undefined for other texts, also
 * with a comment, a quoted local part, an encoded word, an address literal, a long s, or a trailing dot.
 */
export function parseEmailAddress(text: string): string | undefined {
  const address = text.trim();
  const at = address.lastIndexOf("@");
  const local = address.slice(0, Math.max(at, 0)).normalize("NFC");
  const domain = toAscii(foldText(address.slice(at + 1)));
  const isPlain = localPart.test(local) && !encodedWord.test(local) && domainName.test(domain);
  return isPlain ? `${foldText(local)}@${domain}` : undefined;
}

/** Returns an email address for comparison: its normal form; other texts without regard to case. */
export function foldEmailAddress(text: string): string {
  return parseEmailAddress(text) ?? foldLetters(text.trim());
}

// Unlike in usernames, non-ASCII letters never fold to ASCII: an address with ſ (long s) belongs to another person.
function foldLetters(text: string): string {
  if (isAscii(text)) return foldText(text);
  return Array.from(text, (letter) => (isAscii(foldText(letter)) && !isAscii(letter) ? letter : foldText(letter))).join("");
}

/**
 * Returns the domain of an email address for comparison: in ASCII and lower case. Other texts, such as patterns, are
 * case-folded.
 */
export function foldDomain(text: string): string {
  const domain = foldText(text.trim());
  return toAscii(domain) || domain;
}

// Empty for an invalid domain. Converts only if needed: the conversion reads numbers as IP addresses.
function toAscii(domain: string): string {
  return isAscii(domain) && !domain.includes("xn--") ? domain : domainToASCII(domain);
}

/**
 * The forms in which an address may be stored: the normal form first, then the forms of earlier versions, which did not
 * normalize.
 */
export function storedFormsOf(text: string): readonly string[] {
  const normal = foldEmailAddress(text);
  if (isAscii(text) && !normal.includes("@xn--") && !normal.includes(".xn--")) return [normal];
  const at = normal.lastIndexOf("@") + 1;
  return [
    ...new Set([...formsOfDomain(normal.slice(at)).map((domain) => `${normal.slice(0, at)}${domain}`), foldLetters(text.trim())]),
  ];
}

/** The forms in which a domain may be stored: ASCII, Unicode, and as written. */
export function formsOfDomain(text: string): readonly string[] {
  const ascii = foldDomain(text);
  return [...new Set([ascii, foldText(domainToUnicode(ascii)), foldText(text.trim())])].filter((form) => form !== "");
}
