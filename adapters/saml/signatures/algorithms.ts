/** The signature algorithms that are accepted and written. SHA-1, HMAC and unknown ones are refused. */

/** The digest of each signature algorithm, by URI. */
export const signatureDigests: Readonly<Record<string, string>> = {
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256": "sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512": "sha512",
};

/** The algorithm of the service's own signatures. */
export const signatureAlgorithm = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

/** The digest of the service's own signatures. */
export const digestAlgorithm = "http://www.w3.org/2001/04/xmlenc#sha256";

/** Digest algorithms by URI. */
export const digestAlgorithms: ReadonlySet<string> = new Set([digestAlgorithm, "http://www.w3.org/2001/04/xmlenc#sha512"]);

/** Canonical forms by API name. Documents have no comments, so the forms with and without comments are equal. */
export const canonicalForms: Readonly<Record<string, string>> = {
  exclusive: "http://www.w3.org/2001/10/xml-exc-c14n#",
  exclusive_with_comments: "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
  inclusive: "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
  inclusive_with_comments: "http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments",
};

/** The transform that excludes the signature itself from the signed content. */
export const signatureTransform = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
