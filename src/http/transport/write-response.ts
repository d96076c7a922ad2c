import { generalError, type IdentityError } from "../../errors/identity-error.js";
import { OAuthError, toErrorBody } from "../../errors/oauth-error.js";
import type { IdGenerator } from "../../ports/runtime.js";
import type { ApiRequest, ApiResponse, ByteStream } from "../../ports/transport.js";

/** The answer of an operation. */
export interface OperationResult {
  readonly status: number;
  /** JSON text, or text of the media type in `headers`; empty for no body. */
  readonly json: string;
  /** A binary body; `json` is empty then, and `headers` have the media type. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
  /** A body that is written while it is sent; `json` is empty then, and `headers` have the media type. */
  readonly stream?: ByteStream | undefined;
  /** The answer to callers in process, in place of `json`, where parsing that at once would block the event loop. */
  readonly toValue?: (() => Promise<unknown>) | undefined;
  /** The strong ETag of an answer with one record. */
  readonly etag?: string | undefined;
  /** Further headers, names in lower case, such as cookies; they override the standard ones. */
  readonly headers?: ApiResponse["headers"] | undefined;
}

const noBodyHeaders: Readonly<Record<string, string>> = Object.freeze({ "cache-control": "no-cache" });
const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({
  "content-type": "application/json; charset=UTF-8",
  "cache-control": "no-cache",
});

/** The response of an operation. `ifNoneMatch` has the ETags that a GET already knows. */
export function writeResult(result: OperationResult, ifNoneMatch: string | undefined): ApiResponse {
  const { status, json, bytes, etag, headers, stream } = result;
  if (stream !== undefined) return { status, headers: { ...noBodyHeaders, ...headers }, body: "", stream };
  if (bytes !== undefined) return { status, headers: { ...noBodyHeaders, ...headers }, body: "", bytes };
  if (headers !== undefined)
    return { status, headers: { ...(json === "" ? noBodyHeaders : jsonHeaders), ...headers }, body: json };
  if (json === "") return { status, headers: noBodyHeaders, body: "" };
  if (etag === undefined) return { status, headers: jsonHeaders, body: json };
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, etag))
    return { status: 304, headers: { "cache-control": "no-cache", etag }, body: "" };
  return { status, headers: { ...jsonHeaders, etag }, body: json };
}

/** The headers of every answer that contains a token or refuses one (RFC 6749, 5.1). */
export const noStoreHeaders: Readonly<Record<string, string>> = Object.freeze({
  "cache-control": "no-store",
  pragma: "no-cache",
});

/** The error for callers over HTTP: a failed login is 404 there. */
export function toWireError(error: IdentityError): IdentityError {
  return error.code === "[invalidCredentials]" ? generalError("notFound") : error;
}

/** The response of an error. */
export function writeError(given: IdentityError): ApiResponse {
  const error = toWireError(given);
  const body = toErrorBody(error);
  if (error instanceof OAuthError) return writeOAuthError(error, body);
  // The rest of an unread body would count as the next request of the connection.
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

/** The answer for a known path with another method: RFC 9110, 15.5.6 requires a list of the allowed methods. */
export function writeMethodNotAllowed(methods: readonly string[]): ApiResponse {
  const { status, headers, body } = writeError(generalError("methodNotAllowed"));
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return { status, headers: { ...headers, allow: allowed.join(", ") }, body };
}

/** Whether a list of ETags has this one (RFC 9110, 13.1: `*` matches any; weak tags compare by their text for GET). */
export function matchesTag(header: string, etag: string): boolean {
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}

const headerName = "x-request-id";

/** Long enough for all usual kinds, without characters that could forge a line of a log. */
const idShape = /^[\w.:/+=@-]{1,128}$/;

/** The caller's id of the request; undefined without one that is safe to repeat. */
export function readRequestId({ headers }: ApiRequest): string | undefined {
  const given = headers[headerName];
  return typeof given === "string" && idShape.test(given) ? given : undefined;
}

/**
 * Returns a response with the id of its request. Without one, only a failure gets an id: the caller can quote it to find the line
 * in the log.
 */
export function withRequestId(response: ApiResponse, requestId: string | undefined, newId: IdGenerator): ApiResponse {
  const { headers, status } = response;
  if (requestId === undefined && (status < 500 || headerName in headers)) return response;
  return { ...response, headers: { ...headers, [headerName]: requestId ?? newId() } };
}

/** Answers up to this size are not counted: the operating system buffers them at once. */
const uncountedBytes = 16_384;

/** The counted size of a stream: about the part of it that waits for its client. */
const streamBytes = 131_072;

/** Counts unsent answers, so that slow readers cannot fill the memory of the process. */
export class UnsentAnswers {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Call it before any work on a request. @throws IdentityError 503 when too many bytes already wait. */
  assertRoom(): void {
    if (this.#bytes >= this.#maxBytes) throw tooMuch();
  }

  /**
   * Counts a response until it is sent, where the transport reports that.
   * @throws IdentityError 503 when too many bytes would wait: only for responses to reads, since a committed change must be
   * reported.
   */
  count({ whenSent }: ApiRequest, { body, bytes: binary, stream }: ApiResponse, isRead: boolean): void {
    const known = stream === undefined ? binary?.length : streamBytes;
    if (whenSent === undefined || (known ?? body.length * 3) <= uncountedBytes) return;
    const bytes = known ?? Buffer.byteLength(body);
    if (bytes <= uncountedBytes) return;
    if (isRead && this.#bytes + bytes > this.#maxBytes) throw tooMuch();
    this.#bytes += bytes;
    let isSent = false;
    whenSent(() => {
      if (!isSent) this.#bytes -= bytes;
      isSent = true;
    });
  }
}

function tooMuch(): Error {
  return generalError("overloaded", undefined, { headers: { "retry-after": "1" } });
}
