import { readInstant } from "../messages/instants.js";
import { bearerMethod, namespaces } from "../messages/names.js";
import { attributeOf, findElement, findElements, isNamed, listElements, textOf, type XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";
import { checkIssuer } from "./check-response.js";
import type { LoginSettings } from "./login-library.js";

const { assertion: saml } = namespaces;

/** The tolerated clock difference between an identity provider and this service. */
export const clockDifferenceMs = 60_000;

/** The longest acceptance of an assertion after it was issued, apart from its own limits. */
const maxLifetimeMs = 3_600_000;

/** The end of an assertion. */
export interface AssertionLifetime {
  readonly id: string;
  /** The instant, in epoch milliseconds, from which the assertion itself forbids acceptance. */
  readonly expirationInstant: number;
}

/**
 * Checks the statements of a verified assertion: presenter, audience and time (saml-profiles-2.0, 4.1.4.3).
 * @throws XmlError
 */
export function checkAssertion(assertion: XmlElement, login: LoginSettings, now: number): AssertionLifetime {
  const id = attributeOf(assertion, "ID") ?? "";
  if (!isNamed(assertion, saml, "Assertion") || attributeOf(assertion, "Version") !== "2.0" || id === "")
    throw new XmlError("The assertion is none of SAML 2.0.");
  if (checkIssuer(assertion, login) === "") throw new XmlError("The assertion has no issuer.");
  checkIssueInstant(assertion, now);
  checkConditions(assertion, login, now);
  checkSession(assertion, now);
  const expirationInstant = checkSubject(assertion, login, now);
  return { id, expirationInstant: expirationInstant + clockDifferenceMs };
}

function checkIssueInstant(assertion: XmlElement, now: number): void {
  const issued = readInstant(attributeOf(assertion, "IssueInstant"));
  if (issued === undefined || issued > now + clockDifferenceMs) throw new XmlError("The assertion is of the future.");
  if (issued + maxLifetimeMs < now) throw new XmlError("The assertion is too old.");
}

const knownConditions: ReadonlySet<string> = new Set(["AudienceRestriction", "OneTimeUse", "ProxyRestriction"]);

function checkConditions(assertion: XmlElement, login: LoginSettings, now: number): void {
  const conditions = onlyChild(assertion, "Conditions");
  checkInstants(conditions, now);
  const isKnown = listElements(conditions).every((one) => one.namespace === saml && knownConditions.has(one.name));
  if (!isKnown) throw new XmlError("The assertion has a condition that is not known.");
  const restrictions = findElements(conditions, saml, "AudienceRestriction");
  const audiences = restrictions.map((one) => findElements(one, saml, "Audience").map(textOf));
  if (audiences.length === 0 || !audiences.every((names) => names.includes(login.entityId)))
    throw new XmlError("The assertion is for another audience.");
}

function checkSession(assertion: XmlElement, now: number): void {
  const statements = findElements(assertion, saml, "AuthnStatement");
  if (statements.length === 0) throw new XmlError("The assertion does not say that the user logged in.");
  for (const statement of statements) {
    const end = readInstant(attributeOf(statement, "SessionNotOnOrAfter"));
    if (end !== undefined && end <= now - clockDifferenceMs)
      throw new XmlError("The session at the identity provider has ended.");
  }
}

// One valid confirmation is enough. Its end is the assertion's end: nobody can present the assertion afterwards.
function checkSubject(assertion: XmlElement, login: LoginSettings, now: number): number {
  const subject = onlyChild(assertion, "Subject");
  const ends = findElements(subject, saml, "SubjectConfirmation").map((one) => endOfConfirmation(one, login, now) ?? 0);
  const end = ends.reduce((latest, one) => (one > latest ? one : latest), 0);
  if (end === 0) throw new XmlError("The assertion does not confirm its subject for this login.");
  return end;
}

function endOfConfirmation(confirmation: XmlElement, login: LoginSettings, now: number): number | undefined {
  const data = findElement(confirmation, saml, "SubjectConfirmationData");
  const end = readInstant(attributeOf(data, "NotOnOrAfter"));
  const holds =
    attributeOf(confirmation, "Method") === bearerMethod &&
    [login.consumerUrl, ...login.settings.alternateDestinations].includes(attributeOf(data, "Recipient") ?? "") &&
    attributeOf(data, "InResponseTo") === login.requestId &&
    attributeOf(data, "NotBefore") === undefined &&
    end !== undefined &&
    end > now - clockDifferenceMs;
  return holds ? Math.min(end, now + maxLifetimeMs) : undefined;
}

function checkInstants(element: XmlElement, now: number): void {
  const start = readInstant(attributeOf(element, "NotBefore"));
  const end = readInstant(attributeOf(element, "NotOnOrAfter"));
  if (start !== undefined && start > now + clockDifferenceMs) throw new XmlError("The assertion does not hold yet.");
  if (end !== undefined && end <= now - clockDifferenceMs) throw new XmlError("The assertion does not hold any more.");
}

function onlyChild(element: XmlElement, name: string): XmlElement {
  const [child, ...others] = findElements(element, saml, name);
  if (child === undefined || others.length > 0) throw new XmlError(`The assertion does not have one ${name}.`);
  return child;
}
