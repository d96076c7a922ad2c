import { encryptXml } from "../encryption/encrypt-xml.js";
import { writeInstant } from "../messages/instants.js";
import { bearerMethod, namespaces, statusCodes } from "../messages/names.js";
import type { SamlSettings } from "../server/saml-applications.js";
import { signElement } from "../signatures/sign-xml.js";
import { attribute, XmlFragment, xml } from "../xml/write-xml.js";
import type { UserStatement } from "./describe-user.js";
import type { SamlStatus } from "./status-error.js";

/** The header of a response: its target and its request. */
export interface ResponseHeader {
  readonly id: string;
  /** The entity id of this service. */
  readonly issuer: string;
  readonly consumerUrl: string;
  readonly requestId: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The content of an assertion. */
export interface AssertionParts {
  readonly id: string;
  readonly audience: string;
  readonly sessionIndex: string;
  /** The instant of the login, in epoch milliseconds; `context` is the class of that login. */
  readonly authInstant: number;
  readonly context: string;
  readonly statement: UserStatement;
}

/** A key that signs responses, with its certificate. */
export interface SigningKey {
  readonly privateKey: string;
  readonly certificate: string;
}

/** The lifetime of an assertion: the time that a browser may need from one page to the next. */
export const lifetimeMs = 300_000;

/** The tolerance for service providers with a slow clock. */
const leewayMs = 60_000;

const { assertion: saml, protocol: samlp } = namespaces;

/** The keys and settings that protect a response. */
export interface ResponseSecurity {
  readonly settings: SamlSettings;
  readonly key: SigningKey;
  /** The public key for encryption, as PEM; undefined for unencrypted assertions. */
  readonly encryptionKey: string | undefined;
  readonly random: (length: number) => Uint8Array;
}

/** Returns a new id of a message or an assertion: 160 random bits, unguessable (saml-core-2.0, 1.3.4). */
export function newMessageId({ random }: Pick<ResponseSecurity, "random">): string {
  return `_${Buffer.from(random(20)).toString("hex")}`;
}

/** Writes a response with an assertion, signed and encrypted by the application's settings. */
export function writeResponse(header: ResponseHeader, parts: AssertionParts, protection: ResponseSecurity): string {
  const name = protection.settings.xmlSignatureLocation;
  const assertion = writeAssertion(header, parts);
  const isEncrypted = protection.encryptionKey !== undefined;
  // An encrypted assertion is its own document and is signed as one. Any other is signed in place: some canonical forms include
  // the namespaces of enclosing elements.
  const signed = isEncrypted && name === "Assertion" ? new XmlFragment(signIn(assertion.text, name, protection)) : assertion;
  const content = isEncrypted ? encrypt(signed, protection) : signed;
  const response = wrapResponse(header, { status: xml`<samlp:StatusCode Value="${statusCodes.success}"/>`, content }).text;
  return isEncrypted && name === "Assertion" ? response : signIn(response, name, protection);
}

type Signing = Pick<ResponseSecurity, "key" | "settings">;

function signIn(document: string, name: "Assertion" | "Response", { key, settings }: Signing): string {
  return signElement({ document, name, canonicalForm: settings.xmlSignatureC14nMethod, ...key });
}

function encrypt(
  { text: content }: XmlFragment,
  { settings, encryptionKey: publicKey = "", random }: ResponseSecurity,
): XmlFragment {
  const { encryptionAlgorithm: algorithm, keyLocation } = settings.assertionEncryptionConfiguration;
  return encryptXml({ content, algorithm, publicKey, keyLocation, random });
}

/** Writes a response with an error status. It is signed, so that only this service can fail a login. */
export function writeFailure(header: ResponseHeader, [outer, inner]: SamlStatus, signing: Signing): string {
  const status = xml`<samlp:StatusCode Value="${outer}"><samlp:StatusCode Value="${inner}"/></samlp:StatusCode>`;
  return signIn(wrapResponse(header, { status, content: undefined }).text, "Response", signing);
}

function wrapResponse(
  { id, issuer, consumerUrl, requestId, now }: ResponseHeader,
  { status, content }: { readonly status: XmlFragment; readonly content: XmlFragment | undefined },
): XmlFragment {
  return xml`<samlp:Response xmlns:samlp="${samlp}" xmlns:saml="${saml}" ID="${id}" Version="2.0" IssueInstant="${writeInstant(now)}" Destination="${consumerUrl}"${attribute("InResponseTo", requestId)}><saml:Issuer>${issuer}</saml:Issuer><samlp:Status>${status}</samlp:Status>${content}</samlp:Response>`;
}

function writeAssertion(header: ResponseHeader, parts: AssertionParts): XmlFragment {
  const { issuer, now } = header;
  const { id, audience, statement } = parts;
  const conditions = xml`<saml:Conditions NotBefore="${writeInstant(now - leewayMs)}" NotOnOrAfter="${writeInstant(now + lifetimeMs)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`;
  return xml`<saml:Assertion xmlns:saml="${saml}" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ID="${id}" Version="2.0" IssueInstant="${writeInstant(now)}"><saml:Issuer>${issuer}</saml:Issuer>${writeSubject(header, statement)}${conditions}${writeLogin(parts)}${writeAttributes(statement)}</saml:Assertion>`;
}

function writeSubject({ consumerUrl, now, requestId }: ResponseHeader, { nameId }: UserStatement): XmlFragment {
  const end = writeInstant(now + lifetimeMs);
  const data = xml`<saml:SubjectConfirmationData${attribute("InResponseTo", requestId)} NotOnOrAfter="${end}" Recipient="${consumerUrl}"/>`;
  return xml`<saml:Subject><saml:NameID Format="${nameId.format}">${nameId.id}</saml:NameID><saml:SubjectConfirmation Method="${bearerMethod}">${data}</saml:SubjectConfirmation></saml:Subject>`;
}

function writeLogin({ authInstant, context, sessionIndex }: AssertionParts): XmlFragment {
  return xml`<saml:AuthnStatement AuthnInstant="${writeInstant(authInstant)}" SessionIndex="${sessionIndex}"><saml:AuthnContext><saml:AuthnContextClassRef>${context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;
}

const basicFormat = "urn:oasis:names:tc:SAML:2.0:attrname-format:basic";

function writeAttributes({ attributes }: UserStatement): XmlFragment | undefined {
  const list = Object.entries(attributes).filter(([name]) => name !== "");
  if (list.length === 0) return undefined;
  const written = list.map(([name, values]) => {
    const texts = values.map((value) => xml`<saml:AttributeValue xsi:type="xs:string">${value}</saml:AttributeValue>`);
    return xml`<saml:Attribute Name="${name}" NameFormat="${basicFormat}">${texts}</saml:Attribute>`;
  });
  return xml`<saml:AttributeStatement>${written}</saml:AttributeStatement>`;
}
