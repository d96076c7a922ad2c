import { constants, createDecipheriv, privateDecrypt } from "node:crypto";
import { namespaces } from "../messages/names.js";
import { checkSignatures } from "../signatures/check-signatures.js";
import { parseXml } from "../xml/parse-xml.js";
import { attributeOf, findElements, isNamed, listElements, textOf, walkElements, type XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";
import { type EncryptionAlgorithm, encryptionAlgorithms, keyDigestUri, keyTransportUri } from "./algorithms.js";

const { encryption: xenc, signature: ds, assertion: saml } = namespaces;

/** The context of an encrypted assertion. */
export interface EncryptionContext {
  /** Whether the enclosing response is signed. */
  readonly isSigned: boolean;
  /** An RSA key as PEM. */
  readonly privateKey: string;
}

interface EncryptedParts {
  readonly algorithm: EncryptionAlgorithm;
  readonly encryptedKey: Buffer;
  readonly content: Buffer;
}

/**
 * Checks an encrypted assertion before the library decrypts it: its algorithms, and the form of the decrypted assertion, whose
 * signature the library verifies. Accepts AES-CBC only in a signed response: otherwise the service's answers would be a padding
 * oracle.
 * @throws XmlError
 */
export function checkEncryption(encrypted: XmlElement, { isSigned, privateKey }: EncryptionContext): void {
  const parts = readParts(encrypted);
  if (!parts.algorithm.isAuthenticated && !isSigned) throw new XmlError("AES-CBC is accepted in a signed response alone.");
  const assertion = parseXml(decryptContent(parts, privateKey));
  const others = walkElements(assertion).filter(({ name }) => name === "Assertion" || name === "EncryptedAssertion");
  if (!isNamed(assertion, saml, "Assertion") || others.length !== 1)
    throw new XmlError("The encrypted content is not one assertion.");
  checkSignatures(assertion, [assertion]);
}

const known: readonly EncryptionAlgorithm[] = Object.values(encryptionAlgorithms);

function readParts(encrypted: XmlElement): EncryptedParts {
  const elements = walkElements(encrypted);
  const data = onlyChild(encrypted, xenc, "EncryptedData");
  const key = elements.filter((element) => isNamed(element, xenc, "EncryptedKey"));
  const [encryptedKey, ...more] = key;
  // Exactly one key and one content: libraries find cipher values by local name only.
  const values = elements.filter(({ name }) => name === "CipherValue");
  if (encryptedKey === undefined || more.length > 0 || values.length !== 2)
    throw new XmlError("The assertion does not have one encrypted key.");
  checkKeyTransport(onlyChild(encryptedKey, xenc, "EncryptionMethod"));
  if (!isPlaced(encryptedKey, data, encrypted)) throw new XmlError("The encrypted key stands where it may not.");
  const uri = attributeOf(onlyChild(data, xenc, "EncryptionMethod"), "Algorithm");
  const algorithm = known.find((one) => one.uri === uri);
  if (algorithm === undefined) throw new XmlError("The assertion has an encryption that is not accepted.");
  return { algorithm, encryptedKey: cipherOf(encryptedKey), content: cipherOf(data) };
}

// In the `KeyInfo` of the data, or beside the data, which then refers to it.
function isPlaced({ parent }: XmlElement, data: XmlElement, encrypted: XmlElement): boolean {
  return parent === encrypted || (parent !== undefined && isNamed(parent, ds, "KeyInfo") && parent.parent === data);
}

function checkKeyTransport(method: XmlElement): void {
  const digests = listElements(method).map((one) => attributeOf(one, "Algorithm"));
  const isKnown = attributeOf(method, "Algorithm") === keyTransportUri && digests.every((digest) => digest === keyDigestUri);
  if (!isKnown) throw new XmlError("The key of the assertion has an encryption that is not accepted.");
}

function cipherOf(element: XmlElement): Buffer {
  return Buffer.from(textOf(onlyChild(onlyChild(element, xenc, "CipherData"), xenc, "CipherValue")), "base64");
}

function decryptContent({ algorithm, content, encryptedKey }: EncryptedParts, privateKey: string): string {
  const key = privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" }, encryptedKey);
  if (key.length !== algorithm.keyBytes) throw new XmlError("The key of the assertion is not as long as its algorithm says.");
  return (algorithm.isAuthenticated ? decryptGcm : decryptCbc)(algorithm, key, content);
}

function decryptGcm({ cipher }: EncryptionAlgorithm, key: Buffer, content: Buffer): string {
  if (content.length < 28) throw new XmlError("The encrypted content is too short.");
  const decipher = createDecipheriv(cipher as "aes-256-gcm", key, content.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(content.subarray(-16));
  return Buffer.concat([decipher.update(content.subarray(12, -16)), decipher.final()]).toString("utf8");
}

// The last byte is the number of padding bytes; their values are arbitrary (xmlenc-core 1.1, 5.2).
function decryptCbc({ cipher }: EncryptionAlgorithm, key: Buffer, content: Buffer): string {
  if (content.length < 32) throw new XmlError("The encrypted content is too short.");
  const decipher = createDecipheriv(cipher, key, content.subarray(0, 16)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(content.subarray(16)), decipher.final()]);
  const padding = padded.at(-1) ?? 0;
  if (padding < 1 || padding > 16) throw new XmlError("The encrypted content has no proper padding.");
  return padded.subarray(0, -padding).toString("utf8");
}

function onlyChild(element: XmlElement, namespace: string, name: string): XmlElement {
  const [child, ...others] = findElements(element, namespace, name);
  if (child === undefined || others.length > 0) throw new XmlError(`The encrypted assertion does not have one ${name}.`);
  return child;
}
