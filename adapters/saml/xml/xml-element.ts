/** An element of a document that `parseXml` accepted. Names are resolved: a prefix has no meaning of its own. */
export interface XmlElement {
  /** The name without its prefix. */
  readonly name: string;
  /** The namespace; empty for none. */
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  /** Elements and texts in their order. */
  readonly children: readonly (XmlElement | string)[];
  /** The element in the source, from its first character to its last. */
  readonly source: string;
  readonly parent: XmlElement | undefined;
}

/** An attribute that is no declaration of a namespace. */
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

/** Returns the elements directly inside of an element. */
export function listElements(element: XmlElement | undefined): readonly XmlElement[] {
  return (element?.children ?? []).filter((child) => typeof child !== "string");
}

/** Returns the elements of one name directly inside of an element. */
export function findElements(element: XmlElement | undefined, namespace: string, name: string): readonly XmlElement[] {
  return listElements(element).filter((child) => isNamed(child, namespace, name));
}

/** Returns the first element of a name directly inside of an element. */
export function findElement(element: XmlElement | undefined, namespace: string, name: string): XmlElement | undefined {
  return findElements(element, namespace, name)[0];
}

/** Whether an element has this name in this namespace. */
export function isNamed(element: XmlElement, namespace: string, name: string): boolean {
  return element.name === name && element.namespace === namespace;
}

/** Returns the text of an element, with that of the elements in it, without blanks at its ends. */
export function textOf(element: XmlElement | undefined): string {
  return joinTexts(element).trim();
}

function joinTexts(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((child) => (typeof child === "string" ? child : joinTexts(child))).join("");
}

/** Returns an element and all elements in it. */
export function walkElements(element: XmlElement): readonly XmlElement[] {
  return [element, ...listElements(element).flatMap(walkElements)];
}
