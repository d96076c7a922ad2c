import type { SamlResponse } from "latchkey/lambdas";
import type { ProviderUser } from "latchkey/ports";
import { readInstant } from "../messages/instants.js";
import { nameIdFormats, namespaces } from "../messages/names.js";
import { attributeOf, findElement, findElements, textOf, type XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";
import type { ClaimNames } from "./provider-settings.js";

const { assertion: saml } = namespaces;

/** A response with a verified assertion. */
export interface VerifiedResponse {
  /** Its attributes may be unsigned, so they must not identify the user. */
  readonly response: XmlElement;
  readonly assertion: XmlElement;
}

interface NameId {
  readonly id: string;
  readonly format: string;
}

/** Returns the user of an assertion. @throws XmlError for an assertion without a persistent identifier. */
export function readUser(verified: VerifiedResponse, claims: ClaimNames): ProviderUser {
  const attributes = readAttributes(verified.assertion);
  const nameId = readNameId(verified.assertion);
  const claim = (name: string | undefined): string | undefined => (name === undefined ? undefined : attributes.get(name)?.[0]);
  const email = claims.isNameIdEmail ? nameId?.id : claim(claims.email);
  const lasting = nameId?.format === nameIdFormats.transient ? undefined : nameId?.id;
  const id = claims.uniqueId === undefined ? (lasting ?? email) : claim(claims.uniqueId);
  if (id === undefined || id === "" || id.length > 255) throw new XmlError("The assertion has no lasting name of the user.");
  return {
    id,
    email: email === "" ? undefined : email,
    // SAML has no such statement: identity providers are trusted to know their users' addresses.
    isEmailVerified: email !== undefined && email !== "",
    username: claim(claims.username),
    profile: {},
    lambdaArguments: { samlResponse: describeResponse(verified, { attributes, nameId }) },
  };
}

type Attributes = ReadonlyMap<string, readonly string[]>;

function readAttributes(assertion: XmlElement): Attributes {
  const statements = findElements(assertion, saml, "AttributeStatement");
  const attributes = new Map<string, readonly string[]>();
  for (const attribute of statements.flatMap((one) => findElements(one, saml, "Attribute"))) {
    const name = attributeOf(attribute, "Name") ?? "";
    const values = findElements(attribute, saml, "AttributeValue").map(textOf);
    attributes.set(name, [...(attributes.get(name) ?? []), ...values]);
  }
  return attributes;
}

function readNameId(assertion: XmlElement): NameId | undefined {
  const [element, ...others] = findElements(findElement(assertion, saml, "Subject"), saml, "NameID");
  if (others.length > 0) throw new XmlError("The assertion names two users.");
  if (element === undefined) return undefined;
  return { id: textOf(element), format: attributeOf(element, "Format") ?? nameIdFormats.unspecified };
}

interface ReadParts {
  readonly attributes: Attributes;
  readonly nameId: NameId | undefined;
}

/** Returns a response in the form of lambdas. */
function describeResponse({ response, assertion }: VerifiedResponse, { attributes, nameId }: ReadParts): SamlResponse {
  const conditions = findElement(assertion, saml, "Conditions");
  const audiences = findElements(conditions, saml, "AudienceRestriction").flatMap((one) => findElements(one, saml, "Audience"));
  const [notBefore, notOnOrAfter] = ["NotBefore", "NotOnOrAfter"].map((name) => readInstant(attributeOf(conditions, name)));
  return {
    assertion: {
      attributes: Object.fromEntries([...attributes].map(([name, values]) => [name, [...values]])),
      conditions: {
        audiences: audiences.map(textOf),
        ...(notBefore !== undefined && { notBefore }),
        ...(notOnOrAfter !== undefined && { notOnOrAfter }),
      },
      subject: { nameIDs: nameId === undefined ? [] : [nameId] },
    },
    destination: attributeOf(response, "Destination"),
    id: attributeOf(response, "ID"),
    inResponseTo: attributeOf(response, "InResponseTo"),
    issueInstant: readInstant(attributeOf(response, "IssueInstant")),
    issuer: textOf(findElement(assertion, saml, "Issuer")),
    sessionIndex: attributeOf(findElement(assertion, saml, "AuthnStatement"), "SessionIndex"),
  };
}
