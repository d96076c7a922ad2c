import { XmlError } from "../xml/xml-error.js";

/** The query of a redirect: what its parameters say, and how each was written, which is what a signature covers. */
export interface RedirectQuery {
  /** The values by name, both decoded. */
  readonly fields: Readonly<Record<string, string>>;
  /** The text of each parameter, name and value, by the decoded name. */
  readonly written: ReadonlyMap<string, string>;
}

/** Parameters that mean something to this protocol: each has one spelling, and comes once. */
const ownParameters: ReadonlySet<string> = new Set([
  "RelayState",
  "SAMLEncoding",
  "SAMLRequest",
  "SAMLResponse",
  "SigAlg",
  "Signature",
]);

/**
 * Reads a query once, so that what is verified is what is used.
 * @throws XmlError for a parameter of SAML that comes twice, or whose name is written with escapes.
 */
export function readQuery(query: string): RedirectQuery {
  const fields: Record<string, string> = Object.create(null);
  const written = new Map<string, string>();
  for (const pair of query.split("&")) {
    const [[name, value] = ["", ""]] = new URLSearchParams(pair);
    if (ownParameters.has(name) && written.has(name)) throw new XmlError("A parameter comes twice.");
    if (ownParameters.has(name) && pair.split("=", 1)[0] !== name)
      throw new XmlError("The name of a parameter is written with escapes.");
    if (pair === "") continue;
    fields[name] = value;
    written.set(name, pair);
  }
  return { fields, written };
}
