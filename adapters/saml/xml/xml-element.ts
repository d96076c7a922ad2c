/** An element of a document that `parseXml` accepted. Names are resolved, so prefixes do not matter. */
export interface XmlElement {
  /** The name without its prefix. */
  readonly name: string;
  /** The namespace; empty for none. */
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  /** Elements and texts in order. */
  readonly children: readonly (XmlElement | string)[];
  /** The source text of the element. */
  readonly source: string;
  readonly parent: XmlElement | undefined;
}

/** An attribute other than a namespace declaration. */
export interface XmlAttribute {
  readonly name: string;
  /** Empty for an attribute without a prefix. */
  readonly namespace: string;
  readonly value: string;
}

/** Returns the value of an attribute without a prefix. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  return element?.attributes.find((attribute) => attribute.namespace === "" && attribute.name === name)?.value;
}

/** Returns the child elements of an element. */
export function listElements(element: XmlElement | undefined): readonly XmlElement[] {
  return (element?.children ?? []).filter((child) => typeof child !== "string");
}

/** Returns the child elements with a name. */
export function findElements(element: XmlElement | undefined, namespace: string, name: string): readonly XmlElement[] {
  return listElements(element).filter((child) => isNamed(child, namespace, name));
}

/** Returns the first child element with a name. */
export function findElement(element: XmlElement | undefined, namespace: string, name: string): XmlElement | undefined {
  return findElements(element, namespace, name)[0];
}

/** Whether an element has this name in this namespace. */
export function isNamed(element: XmlElement, namespace: string, name: string): boolean {
  return element.name === name && element.namespace === namespace;
}

/** Returns the text of an element and its descendants, trimmed. */
export function textOf(element: XmlElement | undefined): string {
  return joinTexts(element).trim();
}

function joinTexts(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((child) => (typeof child === "string" ? child : joinTexts(child))).join("");
}

/** Returns an element and its descendant elements. */
export function walkElements(element: XmlElement): readonly XmlElement[] {
  return [element, ...listElements(element).flatMap(walkElements)];
}
