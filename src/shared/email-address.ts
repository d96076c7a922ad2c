import { domainToASCII, domainToUnicode } from "node:url";
import { foldText, isAscii } from "./text.js";

// The atoms of RFC 5322 and 6531, with dots anywhere, as some providers allow. Names take a long s for s; mail systems do not.
const localPart = /^[^\s"(),:;<>@[\\\]\p{C}\p{Z}\u017f]+$/u;
const encodedWord = /=\?.*\?=/;
const domainName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * The normal form of an email address: NFC, lower case, the domain in ASCII (Punycode). Undefined for a text that is no plain address: with
 * a comment, a quoted local part, an encoded word, an address literal, a long s, or a dot at the end of the domain.
 */
export function parseEmailAddress(text: string): string | undefined {
  const address = text.trim();
  const at = address.lastIndexOf("@");
  const local = address.slice(0, Math.max(at, 0)).normalize("NFC");
  const domain = toAscii(foldText(address.slice(at + 1)));
  const isPlain = localPart.test(local) && !encodedWord.test(local) && domainName.test(domain);
  return isPlain ? `${foldText(local)}@${domain}` : undefined;
}

/** An email address as it is compared: its normal form, and another text without regard to case. */
export function foldEmailAddress(text: string): string {
  return parseEmailAddress(text) ?? foldLetters(text.trim());
}

// Unlike in names, no other letter counts as one of ASCII: who has the address with a long s is somebody else.
function foldLetters(text: string): string {
  if (isAscii(text)) return foldText(text);
  return Array.from(text, (letter) => (isAscii(foldText(letter)) && !isAscii(letter) ? letter : foldText(letter))).join("");
}

/** The domain of an email address as it is compared: in ASCII, and lower case. Another text, such as a pattern, is folded. */
export function foldDomain(text: string): string {
  const domain = foldText(text.trim());
  return toAscii(domain) || domain;
}

// Empty for what can be no domain. Only what may change: the conversion reads numbers as addresses.
function toAscii(domain: string): string {
  return isAscii(domain) && !domain.includes("xn--") ? domain : domainToASCII(domain);
}

/** The texts that an address may be stored as: the normal form first, then what earlier versions kept, which knew no other form. */
export function storedFormsOf(text: string): readonly string[] {
  const normal = foldEmailAddress(text);
  if (isAscii(text) && !normal.includes("@xn--") && !normal.includes(".xn--")) return [normal];
  const at = normal.lastIndexOf("@") + 1;
  return [
    ...new Set([...formsOfDomain(normal.slice(at)).map((domain) => `${normal.slice(0, at)}${domain}`), foldLetters(text.trim())]),
  ];
}

/** The forms that a domain may be stored in: ASCII, Unicode, and as it is written. */
export function formsOfDomain(text: string): readonly string[] {
  const ascii = foldDomain(text);
  return [...new Set([ascii, foldText(domainToUnicode(ascii)), foldText(text.trim())])].filter((form) => form !== "");
}
