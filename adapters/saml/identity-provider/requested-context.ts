import { loginClass, namespaces } from "../messages/names.js";
import { attributeOf, findElement, findElements, textOf, type XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";
import { noAuthnContext } from "./status-error.js";

const { assertion: saml, protocol: samlp } = namespaces;
const { password, passwordProtectedTransport, unspecified } = loginClass;

/** The classes of assertions, the strongest first. */
const strongestFirst: readonly string[] = [passwordProtectedTransport, password, unspecified];

/**
 * Compares a strength with the requested ones (saml-core-2.0, 3.3.2.2.1). An unknown class has the strength NaN, for which every
 * comparison is false.
 */
type Comparison = (own: number, asked: readonly number[]) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  exact: (own, asked) => asked.includes(own),
  minimum: (own, asked) => asked.some((one) => own >= one),
  maximum: (own, asked) => asked.some((one) => own <= one),
  better: (own, asked) => asked.length > 0 && asked.every((one) => own > one),
};

/**
 * Returns the acceptable classes of a request, the best first; undefined without a requirement, and `[]` when no login can meet
 * it.
 * @throws XmlError for an unknown comparison.
 */
export function readContexts(request: XmlElement): readonly string[] | undefined {
  const requested = findElement(request, samlp, "RequestedAuthnContext");
  if (requested === undefined) return undefined;
  const comparison = attributeOf(requested, "Comparison") ?? "exact";
  const meets = Object.hasOwn(comparisons, comparison) ? comparisons[comparison] : undefined;
  if (meets === undefined) throw new XmlError("The RequestedAuthnContext has an unknown comparison.");
  // Requests may contain declarations instead of classes; no login meets these.
  const asked = findElements(requested, saml, "AuthnContextClassRef").map(textOf);
  const strengths = asked.map(strengthOf);
  const met = strongestFirst.filter((one) => meets(strengthOf(one), strengths));
  // The request lists its classes in order of preference.
  return comparison === "exact" ? met.toSorted((one, other) => asked.indexOf(one) - asked.indexOf(other)) : met;
}

function strengthOf(name: string): number {
  const place = strongestFirst.indexOf(name);
  return place < 0 ? Number.NaN : strongestFirst.length - place;
}

/** Refuses a request that no login can meet. @throws StatusError */
export function assertPossible(contexts: readonly string[] | undefined): void {
  if (contexts?.length === 0) throw noAuthnContext("The RequestedAuthnContext has no class that logins here are of.");
}

/**
 * Returns the class for an assertion: the best acceptable one that the login meets, else `unspecified`. Many libraries request a
 * password although users log in with passkeys; a strict application checks the class in the assertion.
 */
export function chooseContext(contexts: readonly string[] | undefined, methods: readonly string[]): string {
  const isOf = (name: string): boolean => name === unspecified || methods.includes("pwd");
  return (contexts ?? strongestFirst).find(isOf) ?? unspecified;
}
