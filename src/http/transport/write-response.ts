import { generalError, type IdentityError } from "../../errors/identity-error.js";
import { OAuthError } from "../../errors/oauth-error.js";
import { toErrorBody } from "../../errors/to-error-body.js";
import type { ApiResponse } from "../../ports/transport.js";

/** What an operation answers. */
export interface OperationResult {
  readonly status: number;
  /** JSON text, or text of the media type that `headers` names; empty for no body. */
  readonly json: string;
  /** The answer to callers in process, in place of `json`, where reading that at once would keep others waiting. */
  readonly toValue?: (() => Promise<unknown>) | undefined;
  /** The strong entity tag of an answer that is one record. */
  readonly etag?: string | undefined;
  /** Further headers, names in lower case, such as cookies; they win over those that every answer has. */
  readonly headers?: ApiResponse["headers"] | undefined;
}

const noBodyHeaders: Readonly<Record<string, string>> = Object.freeze({ "cache-control": "no-cache" });
const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({
  "content-type": "application/json; charset=UTF-8",
  "cache-control": "no-cache",
});

/** The answer of an operation as a response. `ifNoneMatch` holds the tags that a GET already has. */
export function writeResult(result: OperationResult, ifNoneMatch: string | undefined): ApiResponse {
  const { status, json, etag, headers } = result;
  if (headers !== undefined)
    return { status, headers: { ...(json === "" ? noBodyHeaders : jsonHeaders), ...headers }, body: json };
  if (json === "") return { status, headers: noBodyHeaders, body: "" };
  if (etag === undefined) return { status, headers: jsonHeaders, body: json };
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, etag))
    return { status: 304, headers: { "cache-control": "no-cache", etag }, body: "" };
  return { status, headers: { ...jsonHeaders, etag }, body: json };
}

/** The headers of every answer that holds a token or refuses one (RFC 6749, 5.1). */
export const noStoreHeaders: Readonly<Record<string, string>> = Object.freeze({
  "cache-control": "no-store",
  pragma: "no-cache",
});

/** A refusal as a response. */
export function writeError(error: IdentityError): ApiResponse {
  const body = toErrorBody(error);
  if (error instanceof OAuthError) return writeOAuthError(error, body);
  // A body that was not read to its end would be taken for the next request of the connection.
  const close = error.status === 413 || error.status === 408 ? { connection: "close" } : undefined;
  const headers = { ...(body === "" ? noBodyHeaders : jsonHeaders), ...close, ...error.headers };
  return { status: error.status, headers, body };
}

function writeOAuthError({ status }: OAuthError, body: string): ApiResponse {
  const challenge = status === 401 ? { "www-authenticate": 'Basic realm="oauth2", charset="UTF-8"' } : undefined;
  return { status, headers: { ...jsonHeaders, ...noStoreHeaders, ...challenge }, body };
}

/** The answer for a path of the reference that this service does not serve. */
export function writeNotFound(): ApiResponse {
  return writeError(generalError("notFound"));
}

/** The answer for a known path with another method: RFC 9110, 15.5.6 wants it to name the methods that there are. */
export function writeMethodNotAllowed(methods: readonly string[]): ApiResponse {
  const { status, headers, body } = writeError(generalError("methodNotAllowed"));
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return { status, headers: { ...headers, allow: allowed.join(", ") }, body };
}

/** Whether a list of entity tags names this one (RFC 9110, 13.1: `*` names any; weak tags compare by their text for GET). */
export function matchesTag(header: string, etag: string): boolean {
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
