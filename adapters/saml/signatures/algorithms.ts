/** The algorithms of signatures that are accepted and written. SHA-1, HMAC and everything unknown are refused. */

/** Algorithms of signatures by their URI, with the digest that each uses. */
export const signatureDigests: Readonly<Record<string, string>> = {
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256": "sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512": "sha512",
};

/** The algorithm that our signatures have. */
export const signatureAlgorithm = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

/** The digest that our signatures have. */
export const digestAlgorithm = "http://www.w3.org/2001/04/xmlenc#sha256";

/** Algorithms of digests by their URI. */
export const digestAlgorithms: ReadonlySet<string> = new Set([digestAlgorithm, "http://www.w3.org/2001/04/xmlenc#sha512"]);

/** Canonical forms by their names in the API. Documents have no comments, so that those with and without them are the same. */
export const canonicalForms: Readonly<Record<string, string>> = {
  exclusive: "http://www.w3.org/2001/10/xml-exc-c14n#",
  exclusive_with_comments: "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
  inclusive: "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
  inclusive_with_comments: "http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments",
};

/** The transform that takes the signature itself out of what is signed. */
export const signatureTransform = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
