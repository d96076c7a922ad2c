import { fieldError } from "../../errors/identity-error.js";
import type { ApiRequest } from "../../ports/transport.js";
import { isSafeText } from "../../shared/find-unsafe-value.js";
import { isObject, memberOf } from "../../shared/objects.js";
import { parseUuid } from "../../shared/text.js";

type Parameters = Readonly<Record<string, string>>;

/** The text that clients write for a missing value. */
const undefinedText = "undefined";

/** Query parameters of any text, including `undefined`. */
export const freeTextParameters: ReadonlySet<string> = new Set([
  ...[
    "body",
    "comment",
    "description",
    "domain",
    "event",
    "loginId",
    "message",
    "name",
    "newValue",
    "oldValue",
    "queryString",
    "reason",
    "twoFactorTrustId",
    "url",
    "user",
  ],
  "username",
]);

/** Query parameters of many operations, beside their own. */
const sharedParameters = ["dryRun", "global", "refreshToken"];

/** Parameters that the body of a DELETE may have in place of the query (docs/reference/wire.md#bodies-of-delete). */
export const deleteBodyParameters: readonly string[] = ["applicationId", "code", "hardDelete", "methodId", "token", "userId"];

interface ParameterSources {
  readonly method: string;
  readonly known: readonly string[];
  readonly query: Parameters;
  readonly path: Parameters;
  readonly body: unknown;
}

/**
 * The parameters of a request. The path takes precedence, then the query. On GET the text `undefined` counts as absent, except in
 * free text (docs/reference/wire.md#the-text-undefined).
 * @throws IdentityError 400 `[couldNotConvert]` for that text on every other method; 400 `[doNotMatch]` where the body of a
 * DELETE and the URL disagree.
 */
export function readParameters({ method, known, query, path, body }: ParameterSources): Parameters {
  if (method === "GET") return { ...withoutUndefined(query), ...path };
  for (const name of [...known, ...sharedParameters])
    if (isUndefinedText(name, query[name])) throw fieldError("couldNotConvert", name);
  const inUrl = { ...query, ...path };
  const inBody = deleteBodyParameters.filter((name) => known.includes(name));
  return method === "DELETE" ? withBodyParameters(inBody, inUrl, body) : inUrl;
}

/** Adds parameters from a body. @throws IdentityError 400 where URL and body disagree, or the body's is no text. */
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

// Flags become texts, as in a query; other values must be texts.
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

const noQuery: Readonly<Record<string, string>> = Object.freeze(Object.create(null));
const maxParameters = 1_000;
/** Parameters that are lists: repeated in the query, joined with commas here (docs/reference/search.md). */
const listParameters: ReadonlySet<string> = new Set(["ids", "loginIdTypes", "userIds"]);

/**
 * The parameters of a query; the last of a repeated name counts. The object has no prototype.
 * @throws IdentityError 400 when a name or value has text that no storage accepts.
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

/** Headers with credentials: their verifiers report errors in them. */
const credentials: ReadonlySet<string> = new Set(["authorization", "authentication", "cookie", "dpop"]);

/**
 * Refuses headers with text that some storage cannot store: U+0000 and lone surrogates. `parseQuery`, {@link checkPathTexts} and
 * `checkBody` apply the same rule to queries, path parameters and bodies.
 * @throws IdentityError 400 `[invalid]<header>`.
 */
export function checkHeaderTexts({ headers }: ApiRequest): void {
  for (const name in headers) {
    const value = headers[name];
    const isSafe = typeof value === "string" ? isSafeText(value) : value === undefined || value.every(isSafeText);
    if (!isSafe && !credentials.has(name)) throw fieldError("invalid", name.toWellFormed());
  }
}

/** The same for the parameters of a path. @throws IdentityError 400 `[couldNotConvert]<parameter>`. */
export function checkPathTexts(params: Readonly<Record<string, string>>): void {
  for (const name in params) if (!isSafeText(params[name] ?? "")) throw fieldError("couldNotConvert", name);
}
