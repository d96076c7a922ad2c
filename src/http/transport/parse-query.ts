import { fieldError } from "../../errors/identity-error.js";
import { isSafeText } from "../../shared/find-unsafe-value.js";

const noQuery: Readonly<Record<string, string>> = Object.freeze(Object.create(null));
const maxParameters = 1_000;
/** Parameters that are lists: repeated in the query, joined with commas here (docs/reference/search.md). */
const listParameters: ReadonlySet<string> = new Set(["ids", "loginIdTypes"]);

/**
 * The parameters of a query, of which the last of a repeated name counts. The object has no prototype.
 * @throws IdentityError 400 when a name or value holds text that no storage keeps.
 */
export function parseQuery(query: string): Readonly<Record<string, string>> {
  if (query === "") return noQuery;
  const parameters: Record<string, string> = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(query)) {
    if (++count > maxParameters) throw fieldError("tooMany", "query");
    if (!isSafeText(name) || !isSafeText(value)) throw fieldError("invalid", isSafeText(name) ? name : "query");
    const earlier = listParameters.has(name) ? parameters[name] : undefined;
    parameters[name] = earlier === undefined ? value : `${earlier},${value}`;
  }
  return parameters;
}
