import { fieldError } from "../../errors/identity-error.js";
import { isObject } from "../../shared/is-object.js";
import { parseUuid } from "../../shared/text/uuid.js";
import { memberOf } from "../../shared/value-at.js";

type Parameters = Readonly<Record<string, string>>;

/** What clients write where they were given no value. */
const undefinedText = "undefined";

/** Query parameters of any text, in which `undefined` is a text like any other. */
export const freeTextParameters: ReadonlySet<string> = new Set([
  ...[
    "body",
    "description",
    "event",
    "loginId",
    "message",
    "name",
    "newValue",
    "oldValue",
    "queryString",
    "reason",
    "url",
    "user",
  ],
  "username",
]);

/** Query parameters that many operations read, beside those that they name. */
const sharedParameters = ["dryRun", "global", "refreshToken"];

/** What the body of a DELETE may say in place of the query (docs/reference/wire.md#bodies-of-delete). */
export const deleteBodyParameters: readonly string[] = ["applicationId", "code", "hardDelete", "methodId", "token", "userId"];

/** Where the parameters of a request stand. */
export interface ParameterSources {
  readonly method: string;
  /** The parameters that the operation names. */
  readonly known: readonly string[];
  readonly query: Parameters;
  readonly path: Parameters;
  readonly body: unknown;
}

/**
 * The parameters of a request. Of one that stands in several places the path counts, then the query. On GET the text `undefined` counts
 * as absent, except where any text is meant (docs/reference/wire.md#the-text-undefined).
 * @throws IdentityError 400 `[couldNotConvert]` for that text on every other method; 400 `[doNotMatch]` where the body of a DELETE and
 * the URL disagree.
 */
export function readParameters({ method, known, query, path, body }: ParameterSources): Parameters {
  if (method === "GET") return { ...withoutUndefined(query), ...path };
  for (const name of [...known, ...sharedParameters])
    if (isUndefinedText(name, query[name])) throw fieldError("couldNotConvert", name);
  const inUrl = { ...query, ...path };
  const inBody = deleteBodyParameters.filter((name) => known.includes(name));
  return method === "DELETE" ? withBodyParameters(inBody, inUrl, body) : inUrl;
}

/** Parameters with those that a body names. @throws IdentityError 400 where both name one and disagree, or the body's is no text. */
export function withBodyParameters<Given extends string | undefined>(
  names: readonly string[],
  inUrl: Readonly<Record<string, Given>>,
  body: unknown,
): Readonly<Record<string, Given | string>> {
  if (!isObject(body)) return inUrl;
  const named = names.flatMap((name): [string, string][] => {
    const value = toText(name, memberOf(body, name));
    if (value === undefined) return [];
    const given = memberOf(inUrl, name);
    if (given !== undefined && given !== "" && !isSame(given, value)) throw fieldError("doNotMatch", name);
    return [[name, value]];
  });
  return named.length === 0 ? inUrl : { ...inUrl, ...Object.fromEntries(named) };
}

function withoutUndefined(query: Parameters): Parameters {
  const isLeftOut = ([name, value]: [string, string]): boolean => isUndefinedText(name, value);
  const entries = Object.entries(query);
  return entries.some(isLeftOut) ? Object.fromEntries(entries.filter((entry) => !isLeftOut(entry))) : query;
}

function isUndefinedText(name: string, value: string | undefined): boolean {
  return value === undefinedText && !freeTextParameters.has(name);
}

// As texts of a query: a flag is written out, and what is no flag must be a text.
function toText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean" && name === "hardDelete") return String(value);
  if (typeof value !== "string") throw fieldError("invalidJSON", name);
  if (isUndefinedText(name, value)) throw fieldError("couldNotConvert", name);
  return value;
}

function isSame(one: string, other: string): boolean {
  return (parseUuid(one) ?? one) === (parseUuid(other) ?? other);
}
