import { assertKnownOptions, type IdentityService } from "latchkey";
import type { ApiResponse, RequestBody } from "latchkey/ports";
import { stripBasePath } from "../internal/base-path.js";
import { isDrainedBody } from "../internal/drained-body.js";
import { assertService } from "../internal/guards.js";
import { type ConnectionInfo, toApiRequest } from "./guards.js";
import { toReadableStream, toStream } from "./to-stream.js";

export { type ConnectionInfo, type FetchGuard, fetchGuards } from "./guards.js";

/** Options of {@link fetchHandler}. */
export interface FetchHandlerOptions {
  /** The mount path, such as `/identity`; a segment such as `:tenant` matches any value. Default: the root. */
  readonly basePath?: string;
}

/**
 * The service as a function from `Request` to `Response`, for Hono, Next, Bun, Deno and service workers. It returns undefined for
 * paths outside the service.
 */
export function fetchHandler(
  identity: Pick<IdentityService, "handle">,
  options: FetchHandlerOptions = {},
): (request: Request, connection?: ConnectionInfo) => Promise<Response | undefined> {
  assertService(identity, "handle");
  assertKnownOptions("", options, { basePath: "text" });
  return async (request, connection = {}) => {
    const url = new URL(request.url);
    const path = stripBasePath(url.pathname, options.basePath);
    if (path === undefined) return undefined;
    // HTTP forbids user information in a request target (RFC 9110, 4.2.4). A runtime that builds requests lazily throws at the
    // body.
    if (url.username !== "" || url.password !== "") return new Response(null, { status: 400 });
    let sent: (() => void) | undefined;
    const whenSent = (callback: () => void): void => {
      sent = callback;
    };
    const { parsedBody, remoteAddress } = connection;
    const body = toRequestBody(request, parsedBody);
    const response = await identity.handle({ ...toApiRequest(request, url, path), remoteAddress, body, whenSent });
    return response && toResponse(request.method, response, sent);
  };
}

function toRequestBody(request: Request, parsed: unknown): RequestBody | undefined {
  if (request.body === null) return isAnnounced(request.headers) ? { kind: "unreadable", reason } : undefined;
  if (!request.bodyUsed && !request.body.locked) return { kind: "stream", stream: request.body };
  if (parsed === undefined || isDrainedBody(parsed, (name) => request.headers.get(name))) return { kind: "unreadable", reason };
  if (typeof parsed === "string") return { kind: "text", text: parsed };
  return parsed instanceof Uint8Array ? { kind: "bytes", bytes: parsed } : { kind: "parsed", value: parsed };
}

const reason = "Something read the body before the service did: hand over what it read as parsedBody.";

// A runtime that consumed the body may leave null.
function isAnnounced(headers: Headers): boolean {
  return headers.has("transfer-encoding") || /[1-9]/.test(headers.get("content-length") ?? "");
}

// The runtime sets the length, and a status such as 304 must not have a body.
function toResponse(method: string, response: ApiResponse, sent: (() => void) | undefined): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    if (name !== "connection") for (const one of [value].flat()) headers.append(name, one);
  if (response.stream !== undefined && method !== "HEAD")
    return new Response(toReadableStream(response.stream, sent), { status: response.status, headers });
  const body = response.bytes ?? response.body;
  const hasBody = method !== "HEAD" && response.status !== 304 && body.length > 0;
  if (hasBody && sent !== undefined) return new Response(toStream(body, sent), { status: response.status, headers });
  sent?.();
  return new Response(hasBody ? body : null, { status: response.status, headers });
}
