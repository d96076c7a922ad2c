import { XmlError } from "../xml/xml-error.js";

/** The query of a redirect: its values, and each parameter as written, which a signature covers. */
export interface RedirectQuery {
  /** The decoded values by decoded name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Each parameter as written, name and value, by decoded name. */
  readonly written: ReadonlyMap<string, string>;
}

/** SAML parameters: each must be unescaped and unique. */
const ownParameters: ReadonlySet<string> = new Set([
  "RelayState",
  "SAMLEncoding",
  "SAMLRequest",
  "SAMLResponse",
  "SigAlg",
  "Signature",
]);

/**
 * Parses a query once, so that the verified and the used values are the same.
 * @throws XmlError for a repeated SAML parameter, or one with an escaped name.
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
