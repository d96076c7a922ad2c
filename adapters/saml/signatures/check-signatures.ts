import { namespaces } from "../messages/names.js";
import { attributeOf, findElement, findElements, isNamed, walkElements, type XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";
import { canonicalForms, digestAlgorithms, signatureDigests, signatureTransform } from "./algorithms.js";

const { signature: ds } = namespaces;
const canonicalUris: ReadonlySet<string> = new Set(Object.values(canonicalForms));

/**
 * Checks the form of all signatures of a document before a library verifies any: each signs its own parent element with accepted
 * algorithms, and ids are unique. This prevents signature wrapping. `signable`: the elements that may have a signature.
 * @throws XmlError
 */
export function checkSignatures(root: XmlElement, signable: readonly XmlElement[]): void {
  const elements = walkElements(root);
  const ids = elements.flatMap(idsOf);
  if (new Set(ids).size < ids.length) throw new XmlError("Two elements have the same id.");
  for (const element of elements)
    if (element.name === "Signature") {
      const { parent } = element;
      if (parent === undefined || !signable.includes(parent)) throw new XmlError("A signature stands where none may.");
      checkSignature(element, parent);
    }
}

function idsOf({ attributes }: XmlElement): readonly string[] {
  return attributes.filter(({ name }) => name.toLowerCase() === "id").map(({ value }) => value);
}

function checkSignature(signature: XmlElement, signed: XmlElement): void {
  const id = attributeOf(signed, "ID") ?? "";
  if (!/^[A-Za-z_][\w.-]*$/.test(id)) throw new XmlError("A signed element has no proper id.");
  if (!isNamed(signature, ds, "Signature") || findElements(signed, ds, "Signature").length !== 1)
    throw new XmlError("An element does not have one signature.");
  const info = onlyChild(signature, "SignedInfo");
  onlyChild(signature, "SignatureValue");
  if (findElement(signature, ds, "Object") !== undefined) throw new XmlError("A signature has objects in it.");
  assertKnown(canonicalUris, attributeOf(onlyChild(info, "CanonicalizationMethod"), "Algorithm"));
  assertKnown(signatureUris, attributeOf(onlyChild(info, "SignatureMethod"), "Algorithm"));
  checkReference(onlyChild(info, "Reference"), id);
}

const signatureUris: ReadonlySet<string> = new Set(Object.keys(signatureDigests));

function checkReference(reference: XmlElement, id: string): void {
  if (attributeOf(reference, "URI") !== `#${id}`)
    throw new XmlError("A signature does not refer to the element that it stands in.");
  assertKnown(digestAlgorithms, attributeOf(onlyChild(reference, "DigestMethod"), "Algorithm"));
  onlyChild(reference, "DigestValue");
  const transforms = findElements(onlyChild(reference, "Transforms"), ds, "Transform").map((one) =>
    attributeOf(one, "Algorithm"),
  );
  const [first, second, ...others] = transforms;
  if (first !== signatureTransform || others.length > 0) throw new XmlError("A signature has other transforms than SAML allows.");
  if (second !== undefined) assertKnown(canonicalUris, second);
}

function onlyChild(element: XmlElement, name: string): XmlElement {
  const [child, ...others] = findElements(element, ds, name);
  if (child === undefined || others.length > 0) throw new XmlError(`A signature does not have one ${name}.`);
  return child;
}

function assertKnown(known: ReadonlySet<string>, algorithm: string | undefined): void {
  if (algorithm === undefined || !known.has(algorithm)) throw new XmlError("A signature has an algorithm that is not accepted.");
}
