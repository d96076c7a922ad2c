import { loginClass, namespaces } from "../messages/names.js";
import { attributeOf, findElement, findElements, textOf, type XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";
import { noAuthnContext } from "./status-error.js";

const { assertion: saml, protocol: samlp } = namespaces;
const { password, passwordProtectedTransport, unspecified } = loginClass;

/** The classes that assertions state, the strongest first. */
const strongestFirst: readonly string[] = [passwordProtectedTransport, password, unspecified];

/** Whether a strength meets those that are asked for (saml-core-2.0, 3.3.2.2.1). A class that is not known here has none: NaN, which no comparison holds for. */
type Comparison = (own: number, asked: readonly number[]) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  exact: (own, asked) => asked.includes(own),
  minimum: (own, asked) => asked.some((one) => own >= one),
  maximum: (own, asked) => asked.some((one) => own <= one),
  better: (own, asked) => asked.length > 0 && asked.every((one) => own > one),
};

/**
 * Returns the classes that a request is content with, the best first; undefined where it asks for none, and `[]` where no login is of one.
 * @throws XmlError for an unknown comparison.
 */
export function readContexts(request: XmlElement): readonly string[] | undefined {
  const requested = findElement(request, samlp, "RequestedAuthnContext");
  if (requested === undefined) return undefined;
  const comparison = attributeOf(requested, "Comparison") ?? "exact";
  const meets = Object.hasOwn(comparisons, comparison) ? comparisons[comparison] : undefined;
  if (meets === undefined) throw new XmlError("The RequestedAuthnContext has an unknown comparison.");
  // Declarations are asked for instead of classes, and never given.
  const asked = findElements(requested, saml, "AuthnContextClassRef").map(textOf);
  const strengths = asked.map(strengthOf);
  const met = strongestFirst.filter((one) => meets(strengthOf(one), strengths));
  // The order of the request is that of its preference.
  return comparison === "exact" ? met.toSorted((one, other) => asked.indexOf(one) - asked.indexOf(other)) : met;
}

function strengthOf(name: string): number {
  const place = strongestFirst.indexOf(name);
  return place < 0 ? Number.NaN : strongestFirst.length - place;
}

/** Refuses a request that no login answers. @throws StatusError */
export function assertPossible(contexts: readonly string[] | undefined): void {
  if (contexts?.length === 0) throw noAuthnContext("The RequestedAuthnContext has no class that logins here are of.");
}

/**
 * Returns the class that an assertion states: the best that a request is content with, else what the login was. Many libraries ask for a password
 * though people log in by passkeys: who insists compares what the assertion states.
 */
export function chooseContext(contexts: readonly string[] | undefined, methods: readonly string[]): string {
  const isOf = (name: string): boolean => name === unspecified || methods.includes("pwd");
  return (contexts ?? strongestFirst).find(isOf) ?? unspecified;
}
