import { IdentityError, type IdentityService } from "latchkey";
import type { ApiRequest, ApiResponse } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";
import { browserHeaders } from "../../internal/page-headers.js";

const maxBodyBytes = 1_048_576;

/** Headers that say who calls: the console says that itself. */
const credentials: ReadonlySet<string> = new Set(["authorization", "cookie", "dpop", "origin", "x-console"]);

/** A request of a browser as the service gets it from the console: without what browsers add by themselves. */
export function toServiceRequest(request: ApiRequest, changes: Pick<ApiRequest, "path"> & Partial<ApiRequest>): ApiRequest {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !credentials.has(name)));
  // The service is not mounted where the console is.
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
 * Refuses what another site makes a browser send (OWASP, Cross-Site Request Forgery): a write needs a header that no form can set, and that
 * other origins may not send. `Origin` must be this host where browsers do not say more.
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

/** A refusal in the shape of the API's. */
export function createError(status: number, code: string, message: string): IdentityError {
  return new IdentityError(status, { generalErrors: [{ code, message }] });
}

/** What a request holds. The service reads the same bytes again. */
export interface ReadBody {
  /** The request, whose body can be read. */
  readonly request: ApiRequest;
  /** The text; undefined where the body is no JSON or longer than a record. */
  readonly text: string | undefined;
}

/** What reads bodies, within the limits of the service. */
type BodyReader = Pick<IdentityService, "readText">;

/** Reads the body of a request where it is JSON and at most as long as records are. @throws IdentityError 400, 408, 413, 415. */
export async function readBody(identity: BodyReader, request: ApiRequest): Promise<ReadBody> {
  const { body, headers } = request;
  const isRecord = String(headers["content-type"]).includes("json") && Number(headers["content-length"] ?? 0) <= maxBodyBytes;
  const isFile = !isRecord || String(headers["content-type"]).includes("ndjson");
  if (body?.kind === "stream" && isFile) return { request, text: undefined };
  const text = await identity.readText(request, maxBodyBytes);
  return { request: { ...request, body: text === undefined ? undefined : { kind: "text", text } }, text: text ?? "" };
}

/** The members of a JSON body. @throws IdentityError 400 for what is no JSON object, 408, 413, 415. */
export async function readObject(identity: BodyReader, request: ApiRequest): Promise<Readonly<Record<string, unknown>>> {
  const { text } = await readBody(identity, request);
  const value: unknown = parse(text || "{}");
  if (!isObject(value)) throw createError(400, "[invalidJSON]", "The body must be a JSON object.");
  return value;
}

/** The members of a JSON body that are texts. @throws IdentityError 400 for what is no JSON object, 408, 413, 415. */
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

/** A value as a response. */
export function toResponse(status: number, value: object | undefined, headers: ApiResponse["headers"] = {}): ApiResponse {
  const type = value !== undefined && { "content-type": "application/json; charset=UTF-8" };
  const all = { ...browserHeaders, "cache-control": "no-store", ...type, ...headers };
  return { status, headers: all, body: value === undefined ? "" : JSON.stringify(value) };
}

/** A refusal as a response. */
export function writeError({ status, fieldErrors, generalErrors, headers }: IdentityError, more: object = {}): ApiResponse {
  // A body that was not read to its end would be taken for the next request of the connection.
  const close = status === 413 || status === 408 ? { connection: "close" } : undefined;
  return toResponse(status, { fieldErrors, generalErrors, ...more }, { ...close, ...headers });
}
