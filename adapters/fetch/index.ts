import type { ApiRequest, ApiResponse, IdentityService } from "latchkey";

/** Options of {@link fetchHandler}. */
export interface FetchHandlerOptions {
  /** The path that the service is mounted at, such as `/identity`. Default: the root. */
  readonly basePath?: string;
}

/** What a server knows of a request beside the request. */
export interface ConnectionInfo {
  readonly remoteAddress?: string | undefined;
}

/**
 * The service as a function from `Request` to `Response`, for Hono, Next, Bun, Deno and service workers; undefined when the path
 * is not the service's.
 */
export function fetchHandler(
  identity: Pick<IdentityService, "handle">,
  options: FetchHandlerOptions = {},
): (request: Request, connection?: ConnectionInfo) => Promise<Response | undefined> {
  const base = (options.basePath ?? "").replace(/\/$/, "");
  return async (request, connection = {}) => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith(`${base}/`)) return undefined;
    const response = await identity.handle(toApiRequest(request, pathname.slice(base.length), search.slice(1), connection));
    return response && toResponse(request.method, response);
  };
}

function toApiRequest(request: Request, path: string, query: string, connection: ConnectionInfo): ApiRequest {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of request.headers) headers[name] = value;
  return {
    method: request.method.toUpperCase(),
    path,
    query,
    headers,
    remoteAddress: connection.remoteAddress,
    body: request.body === null ? undefined : { kind: "stream", stream: request.body },
  };
}

// The runtime works out the length, and a status such as 304 must not have a body at all.
function toResponse(method: string, response: ApiResponse): Response {
  const { "content-length": _length, connection: _connection, ...headers } = response.headers;
  const hasBody = method !== "HEAD" && response.status !== 304 && response.body !== "";
  return new Response(hasBody ? response.body : null, { status: response.status, headers });
}
