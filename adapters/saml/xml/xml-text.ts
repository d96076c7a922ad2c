import { XmlError } from "./xml-error.js";

/** Accepted names, with or without a prefix: SAML and XML signatures need only these characters. */
export const xmlName = "[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?";

const named: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "'": "&#39;",
  '"': "&quot;",
  "<": "&lt;",
  ">": "&gt;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML does not allow.
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/** Whether a text has only characters that XML 1.0 allows. */
export function isXmlText(text: string): boolean {
  return !forbidden.test(text) && text.isWellFormed();
}

/** Escapes a text for XML and HTML, as element content or as an attribute value. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&'"<>\t\n\r]/g, (character) => escapes[character] ?? "");
}

/** Resolves character references. @throws XmlError for entities that XML itself does not define. */
export function decodeEntities(text: string): string {
  if (/&(?!(?:amp|apos|gt|lt|quot|#\d{1,7}|#x[\da-fA-F]{1,6});)/.test(text)) throw new XmlError("The document uses an entity.");
  return text.replaceAll(/&([^;]+);/g, (_, name: string) => named[name] ?? decodeNumber(name));
}

function decodeNumber(name: string): string {
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const character = code > 0x10ffff ? "" : String.fromCodePoint(code);
  if (character === "" || !isXmlText(character)) throw new XmlError("The document has characters that XML does not allow.");
  return character;
}
