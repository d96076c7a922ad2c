// A strict parser in front of the libraries: it accepts only documents with one meaning, so that no two parsers can disagree.
// It refuses features that SAML does not need: document types, custom entities, processing instructions, comments and CDATA
// sections.

import type { XmlAttribute, XmlElement } from "./xml-element.js";
import { XmlError } from "./xml-error.js";
import { decodeEntities, isXmlText, xmlName } from "./xml-text.js";

const maxDepth = 40;
const maxElements = 5_000;
const maxAttributes = 40;

const xmlNamespace = "http://www.w3.org/XML/1998/namespace";
const declaration = /^<\?xml version="1\.0"(?: encoding="[Uu][Tt][Ff]-8")?(?: standalone="(?:yes|no)")?\s*\?>/;
const startTag = new RegExp(`<(${xmlName})((?:\\s+${xmlName}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, "y");
const endTag = new RegExp(`</(${xmlName})\\s*>`, "y");
const attributeShape = new RegExp(`(${xmlName})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "g");

/** The prefixes in scope, with their namespaces. The empty prefix is the default namespace. */
type Prefixes = ReadonlyMap<string, string>;

interface OpenElement {
  readonly qualifiedName: string;
  readonly prefixes: Prefixes;
  readonly start: number;
  readonly element: XmlElement & { source: string; readonly children: (XmlElement | string)[] };
}

/**
 * Returns the root element of a document: XML 1.0 in UTF-8 with namespaces, limited to elements, attributes and text.
 * @throws XmlError for anything else, and for more than 40 levels, 5,000 elements, or 40 attributes of an element.
 */
export function parseXml(document: string): XmlElement {
  if (!isXmlText(document)) throw new XmlError("The document has characters that XML does not allow.");
  return new XmlParser(document.replaceAll(/\r\n?/g, "\n")).parse();
}

class XmlParser {
  readonly #text: string;
  readonly #open: OpenElement[] = [];
  #position = 0;
  #elements = 0;
  #root: XmlElement | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): XmlElement {
    this.#position = declaration.exec(this.#text)?.[0].length ?? 0;
    while (this.#position < this.#text.length) this.#readNext();
    if (this.#root === undefined || this.#open.length > 0) throw new XmlError("The document is not complete.");
    return this.#root;
  }

  #readNext(): void {
    if (this.#text[this.#position] !== "<") this.#readText();
    else if (this.#text[this.#position + 1] === "/") this.#readEnd();
    else this.#readStart();
  }

  #readText(): void {
    const found = this.#text.indexOf("<", this.#position);
    const end = found < 0 ? this.#text.length : found;
    const text = this.#text.slice(this.#position, end);
    const parent = this.#open.at(-1);
    if (parent === undefined && /[^ \t\n]/.test(text)) throw new XmlError("The document has text outside of its root.");
    parent?.element.children.push(decodeEntities(text));
    this.#position = end;
  }

  #readStart(): void {
    const [tag, qualifiedName = "", attributes = "", closing] = this.#match(startTag);
    if (this.#root !== undefined && this.#open.length === 0) throw new XmlError("The document has two roots.");
    if (++this.#elements > maxElements || this.#open.length >= maxDepth)
      throw new XmlError("The document has too many elements.");
    const open = this.#toElement(qualifiedName, attributes);
    this.#open.at(-1)?.element.children.push(open.element);
    this.#root ??= open.element;
    this.#open.push(open);
    this.#position += tag.length;
    if (closing === "/") this.#close();
  }

  #readEnd(): void {
    const [tag, qualifiedName] = this.#match(endTag);
    if (this.#open.at(-1)?.qualifiedName !== qualifiedName) throw new XmlError("The elements of the document are not nested.");
    this.#position += tag.length;
    this.#close();
  }

  #close(): void {
    const closed = this.#open.pop();
    if (closed !== undefined) closed.element.source = this.#text.slice(closed.start, this.#position);
  }

  #match(shape: RegExp): RegExpExecArray {
    shape.lastIndex = this.#position;
    const found = shape.exec(this.#text);
    if (found === null) throw new XmlError("The document has markup that is not accepted.");
    return found;
  }

  #toElement(qualifiedName: string, text: string): OpenElement {
    const parent = this.#open.at(-1);
    const given = readAttributes(text);
    const prefixes = declarePrefixes(parent?.prefixes ?? new Map([["xml", xmlNamespace]]), given);
    const resolved = resolveName(qualifiedName, prefixes, prefixes.get("") ?? "");
    const attributes = resolveAttributes(given, prefixes);
    const element = { ...resolved, attributes, children: [], source: "", parent: parent?.element };
    return { qualifiedName, prefixes, start: this.#position, element };
  }
}

/** Attributes by name as written. */
type WrittenAttributes = ReadonlyMap<string, string>;

function readAttributes(text: string): WrittenAttributes {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(attributeShape)) {
    if (attributes.has(name)) throw new XmlError("An element has an attribute twice.");
    attributes.set(name, decodeEntities((double ?? single ?? "").replaceAll(/[\t\n]/g, " ")));
  }
  if (attributes.size > maxAttributes) throw new XmlError("An element has too many attributes.");
  return attributes;
}

function declarePrefixes(inherited: Prefixes, attributes: WrittenAttributes): Prefixes {
  const declared = [...attributes].filter(([name]) => isDeclaration(name));
  if (declared.length === 0) return inherited;
  const prefixes = new Map(inherited);
  for (const [name, namespace] of declared) {
    const prefix = name === "xmlns" ? "" : name.slice("xmlns:".length);
    const isReserved = prefix === "xml" || prefix === "xmlns" || (namespace === "" && prefix !== "");
    if (isReserved) throw new XmlError("The document declares a prefix that it may not.");
    prefixes.set(prefix, namespace);
  }
  return prefixes;
}

function isDeclaration(name: string): boolean {
  return name === "xmlns" || name.startsWith("xmlns:");
}

function resolveAttributes(given: WrittenAttributes, prefixes: Prefixes): readonly XmlAttribute[] {
  const attributes = [...given]
    .filter(([name]) => !isDeclaration(name))
    .map(([name, value]) => ({ ...resolveName(name, prefixes, ""), value }));
  const names = new Set(attributes.map(({ name, namespace }) => `${namespace} ${name}`));
  if (names.size < attributes.length) throw new XmlError("An element has an attribute twice.");
  return attributes;
}

function resolveName(
  written: string,
  prefixes: Prefixes,
  unprefixed: string,
): { readonly name: string; readonly namespace: string } {
  const [prefix = "", name] = written.split(":");
  if (name === undefined) return { name: prefix, namespace: unprefixed };
  const namespace = prefixes.get(prefix);
  if (namespace === undefined) throw new XmlError("The document uses a prefix that it does not declare.");
  return { name, namespace };
}
