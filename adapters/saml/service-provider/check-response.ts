import { namespaces, statusCodes } from "../messages/names.js";
import { checkSignatures } from "../signatures/check-signatures.js";
import { attributeOf, findElement, findElements, isNamed, textOf, walkElements, type XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";
import type { LoginSettings } from "./login-library.js";

const { assertion: saml, protocol: samlp, signature: ds } = namespaces;

/** The parts of an unverified response. */
export interface ResponseParts {
  readonly response: XmlElement;
  /** An `Assertion` or `EncryptedAssertion`. */
  readonly assertion: XmlElement;
  /** Whether the whole response has a signature. This and the assertion's signature are verified later. */
  readonly hasResponseSignature: boolean;
  readonly hasAssertionSignature: boolean;
}

/**
 * Checks that a response has only one interpretation: one assertion as a direct child, signatures only in these two elements,
 * success, and this service as its destination.
 * @throws XmlError
 */
export function checkResponse(response: XmlElement, login: LoginSettings): ResponseParts {
  if (!isNamed(response, samlp, "Response") || attributeOf(response, "Version") !== "2.0")
    throw new XmlError("The message is no response of SAML 2.0.");
  checkStatus(response);
  const assertion = findAssertion(response);
  checkSignatures(response, [response, assertion]);
  const hasResponseSignature = findElement(response, ds, "Signature") !== undefined;
  checkDestination(response, login, hasResponseSignature);
  if (attributeOf(response, "InResponseTo") !== login.requestId)
    throw new XmlError("The response does not answer the request of this login.");
  return {
    response,
    assertion,
    hasResponseSignature,
    hasAssertionSignature: findElement(assertion, ds, "Signature") !== undefined,
  };
}

function checkStatus(response: XmlElement): void {
  const [status, ...others] = findElements(response, samlp, "Status");
  const code = attributeOf(findElement(status, samlp, "StatusCode"), "Value");
  if (others.length > 0) throw new XmlError("The response has two statuses.");
  if (code !== statusCodes.success) throw new XmlError("The identity provider refused the login.");
}

const assertionNames: ReadonlySet<string> = new Set(["Assertion", "EncryptedAssertion"]);

/** Returns the one assertion of a response. Refuses elements of that name anywhere else, in any namespace. */
function findAssertion(response: XmlElement): XmlElement {
  const elements = walkElements(response);
  const [assertion, ...others] = elements.filter(({ name }) => assertionNames.has(name));
  const isAlone = others.length === 0 && elements.filter(({ name }) => name === "Response").length === 1;
  if (assertion === undefined || !isAlone || assertion.parent !== response || assertion.namespace !== saml)
    throw new XmlError("The response does not have one assertion.");
  return assertion;
}

// An unsigned response may lack a destination (saml-bindings-2.0, 3.5.5.2): then the recipient in the assertion counts.
function checkDestination(response: XmlElement, { settings, consumerUrl }: LoginSettings, isSigned: boolean): void {
  const destination = attributeOf(response, "Destination");
  if (settings.ignoresDestination || (destination === undefined && !isSigned)) return;
  if (![consumerUrl, ...settings.alternateDestinations].includes(destination ?? ""))
    throw new XmlError("The response is for another destination.");
}

/** Checks the issuer of an element, if the settings name one. @throws XmlError */
export function checkIssuer(element: XmlElement, { settings }: LoginSettings): string {
  const issuer = textOf(findElement(element, saml, "Issuer"));
  if (settings.providerEntityId !== undefined && issuer !== settings.providerEntityId)
    throw new XmlError("The response is of another identity provider.");
  return issuer;
}
