import type { ApiRequest } from "../../ports/transport.js";

/** A token in a request. */
export interface TokenCredential {
  readonly kind: "token";
  readonly token: string;
  readonly scheme: "bearer" | "dpop" | "cookie";
}

/** An API key in a request. */
export interface KeyCredential {
  readonly kind: "apiKey";
  readonly key: string;
  readonly scheme: "bare" | "basic";
}

/** The credential in a request, not yet verified. */
export type Credential = KeyCredential | TokenCredential;

const maxKeyLength = 4_096;
const longestScheme = "bearer".length;
const basicUserName = "apikey:";

/** The cookie with the access token of a browser (docs/reference/authentication.md#schemes). */
export const accessTokenCookie = "access_token";

/**
 * The credential of a request (docs/reference/authentication.md#schemes): an API key as the bare `Authorization` value or with
 * Basic and the user name `apikey`, a token with Bearer, JWT or DPoP, or the cookie `access_token`. The header takes precedence
 * over the cookie. Undefined without a well-formed credential, and with several `Authorization` headers, of which a transport
 * would silently choose one.
 */
export function readCredential(request: ApiRequest): Credential | undefined {
  if (hasDuplicateAuthorization(request)) return undefined;
  return hasHeader(request) ? readHeader(request) : readCookie(request.headers.cookie);
}

/** Whether a request has a credential in a header, valid or not. */
export function hasHeader({ headers }: ApiRequest): boolean {
  return headers.authorization !== undefined || headers.authentication !== undefined;
}

/** Whether a request uses HTTP Basic. */
export function hasPasswordHeader({ headers }: ApiRequest): boolean {
  return /^basic /i.test(String(headers.authorization ?? headers.authentication ?? ""));
}

function readHeader({ headers }: ApiRequest): Credential | undefined {
  const header = headers.authorization ?? headers.authentication;
  if (typeof header !== "string" || header === "") return undefined;
  const blank = header.indexOf(" ");
  // A bare key may contain blanks; the text before the first is no scheme then.
  const scheme = blank < 0 || blank > longestScheme ? "" : header.slice(0, blank).toLowerCase();
  switch (scheme) {
    case "basic":
      return toKey(readBasic(header.slice(blank + 1)), "basic");
    case "dpop":
      return { kind: "token", token: header.slice(blank + 1), scheme: "dpop" };
    case "bearer":
    case "jwt":
      return { kind: "token", token: header.slice(blank + 1), scheme: "bearer" };
    default:
      return toKey(header, "bare");
  }
}

function toKey(key: string | undefined, scheme: KeyCredential["scheme"]): Credential | undefined {
  return key === undefined || key.length > maxKeyLength ? undefined : { kind: "apiKey", key, scheme };
}

/** Whether a request has several `Authorization` headers, of which a transport would silently choose one. */
export function hasDuplicateAuthorization(request: Pick<ApiRequest, "rawHeaders"> | undefined): boolean {
  return request?.rawHeaders !== undefined && isDuplicateHeader(request.rawHeaders, "authorization");
}

/** Whether a header with this lower-case name came more than once. `rawHeaders` are names and values in turn. */
export function isDuplicateHeader(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? "";
    if (raw.length === name.length && raw.toLowerCase() === name) count++;
  }
  return count > 1;
}

// Only canonical Base64 counts: one credential has one spelling. The key may contain further colons.
function readBasic(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.toString("base64") !== encoded) return undefined;
  const text = bytes.toString("utf8");
  return text.startsWith(basicUserName) && text.length > basicUserName.length ? text.slice(basicUserName.length) : undefined;
}

function readCookie(header: string | readonly string[] | undefined): Credential | undefined {
  const token = findCookie(header, accessTokenCookie);
  return token === undefined ? undefined : { kind: "token", token, scheme: "cookie" };
}

/** The value of a cookie; undefined where it is absent, empty or came twice. */
export function findCookie(header: string | readonly string[] | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const found = [header]
    .flat()
    .flatMap((line) => line.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  const value = found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
  return value === "" ? undefined : value;
}
