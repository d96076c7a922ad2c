import { constants, createCipheriv, publicEncrypt } from "node:crypto";
import { namespaces } from "../messages/names.js";
import { attribute, type XmlFragment, xml } from "../xml/write-xml.js";
import { type EncryptionName, encryptionAlgorithms, keyDigestUri, keyTransportUri } from "./algorithms.js";

/** An element to encrypt. */
export interface EncryptionRequest {
  readonly content: string;
  readonly algorithm: EncryptionName;
  /** The recipient's RSA key, as PEM. */
  readonly publicKey: string;
  /** The place of the encrypted key: in the encrypted data, or beside it. */
  readonly keyLocation: "Child" | "Sibling";
  readonly random: (length: number) => Uint8Array;
}

/** Returns an `EncryptedAssertion` (xmlenc-core 1.1): AES for the content, RSA with OAEP for its key. */
export function encryptXml({ content, algorithm, publicKey, keyLocation, random }: EncryptionRequest): XmlFragment {
  const { cipher, isAuthenticated, keyBytes, uri } = encryptionAlgorithms[algorithm];
  const key = random(keyBytes);
  const start = random(isAuthenticated ? 12 : 16);
  const encryption = createCipheriv(cipher as "aes-256-gcm", key, start);
  const encrypted = Buffer.concat([start, encryption.update(content, "utf8"), encryption.final()]);
  const cipherText = isAuthenticated ? Buffer.concat([encrypted, encryption.getAuthTag()]) : encrypted;
  const encryptedKey = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" }, key);
  return wrap({ uri, cipherText, encryptedKey }, keyLocation);
}

interface Ciphers {
  readonly uri: string;
  readonly cipherText: Buffer;
  readonly encryptedKey: Buffer;
}

function wrap({ uri, cipherText, encryptedKey }: Ciphers, keyLocation: "Child" | "Sibling"): XmlFragment {
  const isChild = keyLocation === "Child";
  const id = isChild ? undefined : "_key";
  const key = xml`<xenc:EncryptedKey${attribute("Id", id)}><xenc:EncryptionMethod Algorithm="${keyTransportUri}"><ds:DigestMethod Algorithm="${keyDigestUri}"/></xenc:EncryptionMethod>${cipherData(encryptedKey)}</xenc:EncryptedKey>`;
  const reference = xml`<ds:RetrievalMethod Type="${namespaces.encryption}EncryptedKey" URI="#_key"/>`;
  return xml`<saml:EncryptedAssertion xmlns:saml="${namespaces.assertion}" xmlns:xenc="${namespaces.encryption}" xmlns:ds="${namespaces.signature}"><xenc:EncryptedData Type="${namespaces.encryption}Element"><xenc:EncryptionMethod Algorithm="${uri}"/><ds:KeyInfo>${isChild ? key : reference}</ds:KeyInfo>${cipherData(cipherText)}</xenc:EncryptedData>${isChild ? undefined : key}</saml:EncryptedAssertion>`;
}

function cipherData(value: Buffer): XmlFragment {
  return xml`<xenc:CipherData><xenc:CipherValue>${value.toString("base64")}</xenc:CipherValue></xenc:CipherData>`;
}
