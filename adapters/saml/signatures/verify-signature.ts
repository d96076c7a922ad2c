import { createVerify, type KeyObject } from "node:crypto";
import { namespaces } from "../messages/names.js";
import type { RedirectQuery } from "../messages/read-query.js";
import { parseXml } from "../xml/parse-xml.js";
import { findElement, type XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";
import { signatureDigests } from "./algorithms.js";
import { loadXmlCrypto } from "./sign-xml.js";

/**
 * Verifies the signature of a document's root after `checkSignatures`, and returns the root as signed.
 * @throws XmlError
 */
export function verifyRoot(document: string, root: XmlElement, publicKey: KeyObject): XmlElement {
  const signature = findElement(root, namespaces.signature, "Signature");
  if (signature === undefined) throw new XmlError("The message is not signed.");
  const { SignedXml } = loadXmlCrypto();
  const verifier = new SignedXml({ publicCert: publicKey.export({ type: "spki", format: "pem" }) });
  verifier.loadSignature(withPrefix(signature.source));
  if (!isValid(() => verifier.checkSignature(document))) throw new XmlError("The signature of the message is not valid.");
  const [signed, ...others] = verifier.getSignedReferences();
  if (signed === undefined || others.length > 0) throw new XmlError("The message does not have one signature.");
  return parseXml(signed);
}

// An enclosing element may declare the prefix of the signature, which the library does not see.
function withPrefix(signature: string): string {
  const [, name = "", prefix = ""] = /^<((?:([\w.-]+):)?Signature)/.exec(signature) ?? [];
  const declaration = prefix === "" ? "xmlns" : `xmlns:${prefix}`;
  const [tag = ""] = /^<[^>]*>/.exec(signature) ?? [];
  if (tag.includes(`${declaration}=`)) return signature;
  return `<${name} ${declaration}="${namespaces.signature}"${signature.slice(name.length + 1)}`;
}

function isValid(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

/** The signed parameters of the redirect binding, in their order (saml-bindings-2.0, 3.4.4.1). */
const signedParameters = ["SAMLRequest", "RelayState", "SigAlg"] as const;

/**
 * Verifies the signature of a query. It covers the parameters as the sender encoded them.
 * @throws XmlError
 */
export function verifyQuery({ fields, written }: RedirectQuery, publicKey: KeyObject): void {
  const digest = signatureDigests[fields.SigAlg ?? ""];
  if (digest === undefined) throw new XmlError("The message has a signature that is not accepted.");
  const text = signedParameters.flatMap((name) => written.get(name) ?? []).join("&");
  const isSigned = createVerify(digest)
    .update(text)
    .verify(publicKey, fields.Signature ?? "", "base64");
  if (!isSigned) throw new XmlError("The signature of the message is not valid.");
}
