import { loadPackage } from "latchkey/ports";
import { canonicalForms, digestAlgorithm, signatureAlgorithm, signatureTransform } from "./algorithms.js";

/** An element to sign. */
export interface SignatureRequest {
  /** The document, with an `Issuer` in the element: the signature follows it (saml-core-2.0, 3.2.1). */
  readonly document: string;
  /** The local name of the one element to sign, which has an `ID`. */
  readonly name: "Assertion" | "AuthnRequest" | "LogoutRequest" | "LogoutResponse" | "Response";
  /** A name of `canonicalForms`. */
  readonly canonicalForm: string;
  /** An RSA key as PEM. */
  readonly privateKey: string;
  /** The certificate of the key, for the reader of the signature. */
  readonly certificate?: string | undefined;
}

/** Loads the library for signatures, with the first one. @throws Error that names the command where it is not installed. */
export function loadXmlCrypto(): typeof import("xml-crypto") {
  return loadPackage(import.meta.url, "xml-crypto", "latchkey/saml");
}

/** Returns a document in which an element has a signature in it: RSA with SHA-256. */
export function signElement(request: SignatureRequest): string {
  const { document, name, canonicalForm, privateKey, certificate } = request;
  const { SignedXml } = loadXmlCrypto();
  const canonical = canonicalForms[canonicalForm] ?? canonicalForms.exclusive ?? "";
  const signature = new SignedXml({
    privateKey,
    signatureAlgorithm,
    canonicalizationAlgorithm: canonical as "http://www.w3.org/2001/10/xml-exc-c14n#",
    ...(certificate !== undefined && { publicCert: certificate }),
  });
  const element = `//*[local-name(.)='${name}']`;
  signature.addReference({ xpath: element, transforms: [signatureTransform, canonical], digestAlgorithm });
  const location = { reference: `${element}/*[local-name(.)='Issuer']`, action: "after" } as const;
  signature.computeSignature(document, { prefix: "ds", location });
  return signature.getSignedXml();
}
