// Responses of an identity provider, written by hand and signed by xml-crypto: no code of ours makes them.

import type { ProviderLoginResponse, ProviderUser, SignInRecord } from "latchkey/ports";
import { samlLogins } from "latchkey/saml";
import { SignedXml } from "xml-crypto";
import { hostAt, type Pair, providerPair } from "./keys.js";

export const now: number = Date.parse("2030-01-01T00:00:00Z");
export const consumerUrl = "https://id.example.com/samlv2/acs";
const redirectUri = "https://id.example.com/oauth2/callback";
export const providerId = "a0000000-0000-4000-8000-000000000001";
export const entityId: string = `https://id.example.com/samlv2/sp/${providerId}`;
export const requestId = "_request";

/** The texts of a response that tests change. */
export interface ResponseTexts {
  readonly destination: string;
  readonly inResponseTo: string;
  readonly status: string;
  readonly issuer: string;
  readonly nameId: string;
  readonly attributes: string;
  readonly confirmation: string;
  readonly conditions: string;
  readonly statement: string;
  readonly issueInstant: string;
  readonly assertionId: string;
  readonly version: string;
}

const success = "urn:oasis:names:tc:SAML:2.0:status:Success";

/** Writes an instant so many seconds after `now`. */
export const at = (seconds: number): string => new Date(now + seconds * 1_000).toISOString();

/** Writes the confirmation of a subject. */
export function confirmation(attributes: Readonly<Record<string, string>> = {}, method = "bearer"): string {
  const given = { InResponseTo: requestId, NotOnOrAfter: at(300), Recipient: consumerUrl, ...attributes };
  const written = Object.entries(given)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}="${value}"`);
  return `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}"><saml:SubjectConfirmationData ${written.join(" ")}/></saml:SubjectConfirmation>`;
}

/** Writes conditions for an audience. */
export function conditions(audience: string = entityId, instants = `NotBefore="${at(-10)}" NotOnOrAfter="${at(300)}"`): string {
  return `<saml:Conditions ${instants}><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`;
}

/** Writes an attribute with its values. */
export function attributeXml(name: string, ...values: readonly string[]): string {
  const list = values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join("");
  return `<saml:Attribute Name="${name}">${list}</saml:Attribute>`;
}

export const defaultTexts: ResponseTexts = {
  destination: `Destination="${consumerUrl}"`,
  inResponseTo: `InResponseTo="${requestId}"`,
  status: `<samlp:Status><samlp:StatusCode Value="${success}"/></samlp:Status>`,
  issuer: "https://provider.example",
  nameId: `<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">ada</saml:NameID>`,
  attributes: attributeXml("email", "ada@provider.example") + attributeXml("groups", "engineering", "writers"),
  confirmation: confirmation(),
  conditions: conditions(),
  statement: `<saml:AuthnStatement AuthnInstant="${at(-10)}" SessionIndex="_77aa"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
  issueInstant: at(0),
  assertionId: "_assertion",
  version: "2.0",
};

/** Writes an assertion. */
export function assertionXml(texts: ResponseTexts): string {
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${texts.assertionId}" IssueInstant="${texts.issueInstant}" Version="${texts.version}"><saml:Issuer>${texts.issuer}</saml:Issuer><saml:Subject>${texts.nameId}${texts.confirmation}</saml:Subject>${texts.conditions}${texts.statement}<saml:AttributeStatement>${texts.attributes}</saml:AttributeStatement></saml:Assertion>`;
}

/** Writes a response around an assertion. */
export function responseXml(texts: ResponseTexts, assertion: string): string {
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_response" Version="2.0" IssueInstant="${at(0)}" ${texts.destination} ${texts.inResponseTo}><saml:Issuer>${texts.issuer}</saml:Issuer>${texts.status}${assertion}</samlp:Response>`;
}

/** Algorithms of a signature, and who makes it. */
export interface SignatureTexts {
  readonly pair: Pair;
  readonly signature: string;
  readonly digest: string;
  readonly transforms: readonly string[];
}

const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";

const defaultSignature: SignatureTexts = {
  pair: providerPair,
  signature: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  digest: "http://www.w3.org/2001/04/xmlenc#sha256",
  transforms: ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", exclusive],
};

/** Signs an element of a document by its name. */
export function sign(document: string, name: string, given: Partial<SignatureTexts> = {}): string {
  const { pair, signature, digest, transforms } = { ...defaultSignature, ...given };
  const signed = new SignedXml({
    privateKey: pair.pem,
    signatureAlgorithm: signature as never,
    canonicalizationAlgorithm: exclusive,
  });
  const element = `//*[local-name(.)='${name}']`;
  signed.addReference({ xpath: element, digestAlgorithm: digest as never, transforms: [...transforms] as never });
  signed.computeSignature(document, { location: { reference: `${element}/*[local-name(.)='Issuer']`, action: "after" } });
  return signed.getSignedXml();
}

/** Which elements a response has signatures of. */
export type Signed = "assertion" | "response" | "both" | "none";

/** Writes a response with the texts that a test changes, signed. */
export function makeResponse(
  changes: Partial<ResponseTexts> = {},
  signed: Signed = "assertion",
  by: Partial<SignatureTexts> = {},
): string {
  const texts = { ...defaultTexts, ...changes };
  const plain = responseXml(texts, assertionXml(texts));
  const withAssertion = signed === "assertion" || signed === "both" ? sign(plain, "Assertion", by) : plain;
  return signed === "response" || signed === "both" ? sign(withAssertion, "Response", by) : withAssertion;
}

/** The provider as it is stored, with the members that a test changes. */
export function providerWith(members: Readonly<Record<string, unknown>> = {}): SignInRecord {
  const endpoint = { idpEndpoint: "https://provider.example/sso", keyId: "provider" };
  return { id: providerId, name: "Provider", type: "SAMLv2", emailClaim: "email", ...endpoint, ...members };
}

/** Presents a response to the service, at `now`. */
export function present(response: string, given: Partial<ProviderLoginResponse> = {}): Promise<ProviderUser> {
  const parameters = { SAMLResponse: Buffer.from(response).toString("base64") };
  const tenant = { applicationId: providerId, tenantId: providerId };
  const answer = { provider: providerWith(), parameters, redirectUri, memory: { requestId }, ...tenant, ...given };
  return samlLogins().complete(answer, hostAt(now));
}
