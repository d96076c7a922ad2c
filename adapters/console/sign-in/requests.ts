import { IdentityError, type IdentityService } from "latchkey";
import type { ApiRequest, ApiResponse } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";
import { browserHeaders } from "../../internal/page-headers.js";

const maxBodyBytes = 1_048_576;

/** Credentials of the caller, which the console replaces by its own. */
const credentials: ReadonlySet<string> = new Set(["authorization", "cookie", "dpop", "origin", "x-console"]);

/** Converts a browser's request to one for the service, without the headers that browsers add by themselves. */
export function toServiceRequest(request: ApiRequest, changes: Pick<ApiRequest, "path"> & Partial<ApiRequest>): ApiRequest {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !credentials.has(name)));
  // The mount point of the console is not that of the service.
  const { basePath: _basePath, rawHeaders: _rawHeaders, ...rest } = request;
  return { ...rest, ...changes, headers: { ...headers, ...changes.headers } };
}

/** A request with a JSON body. */
export function toJsonRequest(request: ApiRequest, path: string, body: object): ApiRequest {
  const text = JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": undefined, "transfer-encoding": undefined };
  return toServiceRequest(request, { method: "POST", path, query: "", headers, body: { kind: "text", text } });
}

/**
 * Refuses cross-site requests (OWASP, Cross-Site Request Forgery): a write needs a header that no form can set and that other
 * origins may not send. Without `Sec-Fetch-Site`, `Origin` must be this host.
 * @throws IdentityError 403.
 */
export function assertSameOrigin({ headers, method }: ApiRequest): void {
  const site = headers["sec-fetch-site"];
  const isForeign = site === undefined ? !isOwn(headers) : site !== "same-origin" && !(site === "none" && method === "GET");
  const isWrite = method !== "GET" && method !== "HEAD";
  if (isForeign || (isWrite && headers["x-console"] !== "1"))
    throw createError(403, "[cross_site]", "The request does not come from the console.");
}

function isOwn({ host, origin, "x-forwarded-host": forwarded, ":authority": authority }: ApiRequest["headers"]): boolean {
  if (origin === undefined) return true;
  if (typeof origin !== "string" || !URL.canParse(origin)) return false;
  const from = new URL(origin).host;
  return [host, authority, forwarded].some((own) => typeof own === "string" && own === from);
}

/** An error in the format of the API. */
export function createError(status: number, code: string, message: string): IdentityError {
  return new IdentityError(status, { generalErrors: [{ code, message }] });
}

/** A request and its body. The service can read the same bytes again. */
export interface ReadBody {
  readonly request: ApiRequest;
  /** The text; undefined when the body is not JSON, or longer than a record. */
  readonly text: string | undefined;
}

/** Reads bodies within the limits of the service. */
type BodyReader = Pick<IdentityService, "readText">;

/** Reads the body of a request if it is JSON and at most as long as a record. @throws IdentityError 400, 408, 413, 415. */
export async function readBody(identity: BodyReader, request: ApiRequest): Promise<ReadBody> {
  const { body, headers } = request;
  const isRecord = String(headers["content-type"]).includes("json") && Number(headers["content-length"] ?? 0) <= maxBodyBytes;
  const isFile = !isRecord || String(headers["content-type"]).includes("ndjson");
  if (body?.kind === "stream" && isFile) return { request, text: undefined };
  const text = await identity.readText(request, maxBodyBytes);
  return { request: { ...request, body: text === undefined ? undefined : { kind: "text", text } }, text: text ?? "" };
}

/** The members of a JSON body. @throws IdentityError 400 for anything but a JSON object, 408, 413, 415. */
export async function readObject(identity: BodyReader, request: ApiRequest): Promise<Readonly<Record<string, unknown>>> {
  const { text } = await readBody(identity, request);
  const value: unknown = parse(text || "{}");
  if (!isObject(value)) throw createError(400, "[invalidJSON]", "The body must be a JSON object.");
  return value;
}

/** The text members of a JSON body. @throws IdentityError 400 for anything but a JSON object, 408, 413, 415. */
export async function readTexts(
  identity: BodyReader,
  request: ApiRequest,
): Promise<Readonly<Record<string, string | undefined>>> {
  const members = Object.entries(await readObject(identity, request));
  return Object.fromEntries(members.map(([name, member]) => [name, typeof member === "string" ? member : undefined]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createError(400, "[invalidJSON]", "The body must be a JSON object.");
  }
}

/** A value as a JSON response. */
export function toResponse(status: number, value: object | undefined, headers: ApiResponse["headers"] = {}): ApiResponse {
  const type = value !== undefined && { "content-type": "application/json; charset=UTF-8" };
  const all = { ...browserHeaders, "cache-control": "no-store", ...type, ...headers };
  return { status, headers: all, body: value === undefined ? "" : JSON.stringify(value) };
}

/** An error as a response. */
export function writeError({ status, fieldErrors, generalErrors, headers }: IdentityError, more: object = {}): ApiResponse {
  // After a partly read body, the rest would be parsed as the next request of the connection.
  const close = status === 413 || status === 408 ? { connection: "close" } : undefined;
  return toResponse(status, { fieldErrors, generalErrors, ...more }, { ...close, ...headers });
}
