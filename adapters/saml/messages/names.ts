/** Names of SAML 2.0 (OASIS saml-core-2.0, saml-bindings-2.0), of XML signatures and of XML encryption. */

/** Namespaces. */
export const namespaces = {
  assertion: "urn:oasis:names:tc:SAML:2.0:assertion",
  protocol: "urn:oasis:names:tc:SAML:2.0:protocol",
  metadata: "urn:oasis:names:tc:SAML:2.0:metadata",
  signature: "http://www.w3.org/2000/09/xmldsig#",
  encryption: "http://www.w3.org/2001/04/xmlenc#",
} as const;

/** Bindings: how a message travels. */
export const bindings = {
  redirect: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect",
  post: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
} as const;

/** Name identifier formats. */
export const nameIdFormats = {
  email: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  persistent: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
  transient: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
  unspecified: "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
} as const;

/** Classes of authentication contexts (saml-authn-context-2.0, 3.4): how a user logged in. */
export const loginClass = {
  unspecified: "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified",
  password: "urn:oasis:names:tc:SAML:2.0:ac:classes:Password",
  passwordProtectedTransport: "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
} as const;

/** Codes of the status of a response. */
export const statusCodes = {
  success: "urn:oasis:names:tc:SAML:2.0:status:Success",
  requester: "urn:oasis:names:tc:SAML:2.0:status:Requester",
  responder: "urn:oasis:names:tc:SAML:2.0:status:Responder",
  noPassive: "urn:oasis:names:tc:SAML:2.0:status:NoPassive",
  authenticationFailed: "urn:oasis:names:tc:SAML:2.0:status:AuthnFailed",
  requestDenied: "urn:oasis:names:tc:SAML:2.0:status:RequestDenied",
  noAuthnContext: "urn:oasis:names:tc:SAML:2.0:status:NoAuthnContext",
  invalidNameIdPolicy: "urn:oasis:names:tc:SAML:2.0:status:InvalidNameIDPolicy",
} as const;

/** The bearer confirmation method: possession of the assertion is the proof. */
export const bearerMethod = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
