import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

/**
 * Reads PEM. A text is one block and nothing else, with a label that says what is wanted: OpenSSL alone would take the first
 * block of several, and a private key or a certificate where a public key is asked for. Messages never hold the text.
 */

/** The public key in a text. @throws Error for anything else. */
export function parsePublicKey(text: string): KeyObject {
  return createPublicKey(toBlock(text, ["PUBLIC KEY", "RSA PUBLIC KEY"]));
}

/** The private key in a text, which must not be encrypted. @throws Error for anything else. */
export function parsePrivateKey(text: string): KeyObject {
  return createPrivateKey(toBlock(text, ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"]));
}

/** The certificate in a text. @throws Error for anything else. */
export function parseCertificate(text: string): X509Certificate {
  return new X509Certificate(toBlock(text, ["CERTIFICATE"]));
}

const blockShape = /^-----BEGIN ([A-Z ]+)-----\n[A-Za-z0-9+/=\n]+\n-----END ([A-Z ]+)-----$/;

function toBlock(text: string, labels: readonly string[]): string {
  const block = text.replaceAll(/\r\n?/g, "\n").trim();
  const [, first = "", last] = blockShape.exec(block) ?? [];
  if (first !== last || !labels.includes(first)) throw new Error(`The text is not one PEM block of a ${labels[0]}.`);
  return block;
}
