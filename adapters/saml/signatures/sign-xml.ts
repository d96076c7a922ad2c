import { loadPackage } from "latchkey/ports";
import { canonicalForms, digestAlgorithm, signatureAlgorithm, signatureTransform } from "./algorithms.js";

/** An element to sign. */
export interface SignatureRequest {
  /** The document. The element has an `Issuer`: the signature follows it (saml-core-2.0, 3.2.1). */
  readonly document: string;
  /** The local name of the one element to sign, which has an `ID`. */
  readonly name: "Assertion" | "AuthnRequest" | "LogoutRequest" | "LogoutResponse" | "Response";
  /** A key of `canonicalForms`. */
  readonly canonicalForm: string;
  /** An RSA key as PEM. */
  readonly privateKey: string;
  /** The certificate of the key, for the recipient. */
  readonly certificate?: string | undefined;
}

/** Loads the library for signatures at the first use. @throws Error with the command that installs it, where it is missing. */
export function loadXmlCrypto(): typeof import("xml-crypto") {
  return loadPackage(import.meta.url, "xml-crypto", "latchkey/saml");
}

/** Returns the document with a signature inside the element: RSA with SHA-256. */
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
