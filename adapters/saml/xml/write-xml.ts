import { escapeXml, isXmlText } from "./xml-text.js";

/** Escaped XML, created by `xml`. */
export class XmlFragment {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** A template value: text to escape, XML, lists of XML, or nothing. */
type XmlValue = string | number | boolean | XmlFragment | readonly XmlFragment[] | undefined;

/**
 * Writes XML or HTML: escapes text in a template, for elements and for attributes in quotes.
 * @throws RangeError for text with characters that XML does not allow.
 */
export function xml(strings: TemplateStringsArray, ...values: readonly XmlValue[]): XmlFragment {
  return new XmlFragment(strings.map((text, place) => text + toText(values[place])).join(""));
}

/** Writes an attribute after a space; nothing for an absent value. */
export function attribute(name: string, value: string | undefined): XmlFragment | undefined {
  return value === undefined ? undefined : new XmlFragment(` ${name}="${toText(value)}"`);
}

function toText(value: XmlValue): string {
  if (value === undefined) return "";
  if (value instanceof XmlFragment) return value.text;
  if (Array.isArray(value)) return value.join("");
  const text = String(value);
  if (!isXmlText(text)) throw new RangeError("The text has characters that XML does not allow.");
  return escapeXml(text);
}
