import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { parseXml } from "../xml/parse-xml.js";
import type { XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";

/** The most bytes of a message. */
export const maxMessageBytes = 262_144;

/** The most characters of a Base64 message. */
export const maxEncodedLength = 360_000;

/** The text and the root element of a message. */
export interface SamlMessage {
  readonly document: string;
  readonly root: XmlElement;
}

const inflate = promisify(inflateRaw);

/** Decodes a message of the POST binding: Base64 of at most 256 KiB. @throws XmlError */
export function decodePostMessage(encoded: string): SamlMessage {
  return readMessage(decodeBase64(encoded));
}

/**
 * Decodes a request of the POST binding, compressed or not: `node-saml` compresses it, although the standard does so only for
 * redirects.
 * @throws XmlError
 */
export async function decodePostRequest(encoded: string): Promise<SamlMessage> {
  const bytes = decodeBase64(encoded);
  return readMessage(/^(?:\xef\xbb\xbf)?\s*</.test(bytes.toString("latin1", 0, 100)) ? bytes : await inflateMessage(bytes));
}

/** Decodes a message of the redirect binding: Base64 of compressed text of at most 256 KiB. @throws XmlError */
export async function decodeRedirectMessage(encoded: string): Promise<SamlMessage> {
  return readMessage(await inflateMessage(decodeBase64(encoded)));
}

function inflateMessage(compressed: Buffer): Promise<Buffer> {
  return inflate(compressed, { maxOutputLength: maxMessageBytes }).catch(() => {
    throw new XmlError("The message is not compressed, or is too long.");
  });
}

function decodeBase64(encoded: string): Buffer {
  const text = encoded.length > maxEncodedLength ? "" : encoded.replaceAll(/\s/g, "");
  if (text === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new XmlError("The message is not Base64, or is too long.");
  return Buffer.from(text, "base64");
}

function readMessage(bytes: Uint8Array): SamlMessage {
  if (bytes.length > maxMessageBytes) throw new XmlError("The message is too long.");
  const document = decodeText(bytes);
  return { document, root: parseXml(document) };
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new XmlError("The message is not UTF-8.");
  }
}
