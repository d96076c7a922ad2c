import { type ApiResponse, assertKnownOptions, type IdentityService, type RequestBody } from "latchkey";
import { type ConnectionInfo, toApiRequest } from "./guards.js";
import { toReadableStream, toStream } from "./to-stream.js";

export type { ApiKeyGuardOptions, Guards, RoleGuardOptions, UserGuardOptions } from "../internal/guards.js";
export { type ConnectionInfo, type FetchGuard, identityGuards } from "./guards.js";

/** Options of {@link fetchHandler}. */
export interface FetchHandlerOptions {
  /** The path that the service is mounted at, such as `/identity`. Default: the root. */
  readonly basePath?: string;
}

/**
 * The service as a function from `Request` to `Response`, for Hono, Next, Bun, Deno and service workers; undefined when the path
 * is not the service's.
 */
export function fetchHandler(
  identity: Pick<IdentityService, "handle">,
  options: FetchHandlerOptions = {},
): (request: Request, connection?: ConnectionInfo) => Promise<Response | undefined> {
  assertKnownOptions("", options, { basePath: true });
  const base = (options.basePath ?? "").replace(/\/$/, "");
  return async (request, connection = {}) => {
    const url = new URL(request.url);
    if (url.pathname !== base && !url.pathname.startsWith(`${base}/`)) return undefined;
    let sent: (() => void) | undefined;
    const whenSent = (callback: () => void): void => {
      sent = callback;
    };
    const body = toRequestBody(request, connection.parsedBody);
    const response = await identity.handle({ ...toApiRequest(request, url, base, connection), body, whenSent });
    return response && toResponse(request.method, response, sent);
  };
}

function toRequestBody(request: Request, parsed: unknown): RequestBody | undefined {
  if (request.body === null) return undefined;
  if (!request.bodyUsed) return { kind: "stream", stream: request.body };
  if (parsed === undefined)
    throw new TypeError("The body of this request was read before: hand over what was read as parsedBody.");
  if (typeof parsed === "string") return { kind: "text", text: parsed };
  return parsed instanceof Uint8Array ? { kind: "bytes", bytes: parsed } : { kind: "parsed", value: parsed };
}

// The runtime works out the length, and a status such as 304 must not have a body at all.
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
