import {
  type AccessRequirement,
  type ApiKeyPrincipal,
  type AuthorizedUser,
  type Guards,
  IdentityError,
  type IdentityService,
  type RequestIdentities,
} from "latchkey";
import type { ApiRequest } from "latchkey/ports";
import { toBasePath } from "../internal/base-path.js";
import { toGuards } from "../internal/guards.js";

/** Facts of a connection that the `Request` lacks. */
export interface ConnectionInfo {
  /** The peer's IPv4 or IPv6 address. Default: unknown; access lists then refuse, and throttling counts all callers as one. */
  readonly remoteAddress?: string | undefined;
  /** The parsed body, where the host has read it already, as `await context.req.json()` does in Hono. */
  readonly parsedBody?: unknown;
}

/** Returns the head of a request for the service, with the path below the mount point. */
export function toApiRequest(request: Request, url: URL, path: string): ApiRequest {
  const headers: Record<string, string> = Object.create(null);
  // A runtime may hide the `host` header; the URL has it.
  headers.host = url.host;
  for (const [name, value] of request.headers) headers[name] = value;
  return {
    method: request.method.toUpperCase(),
    path,
    query: url.search.slice(1),
    headers,
    basePath: toBasePath(url.pathname, path),
    isEncrypted: url.protocol === "https:",
  };
}

/** Wraps a handler, which receives the request and the caller. A refusal is a response with the status 401 or 403. */
export type FetchGuard<Caller> = (
  handler: (request: Request, caller: Caller) => Response | Promise<Response>,
) => (request: Request, connection?: ConnectionInfo) => Promise<Response>;

/**
 * Route guards: `const { requireUser, requireRole, requireApiKey } = fetchGuards(identity)`, then
 * `const orders = requireRole("buyer", { applicationId })((request, caller) => …)`, a function from `Request` to `Response`.
 */
export function fetchGuards(
  identity: Pick<IdentityService, "authorize">,
): Guards<FetchGuard<AuthorizedUser>, FetchGuard<ApiKeyPrincipal>> {
  const toGuard =
    <Kind extends keyof RequestIdentities>(requirement: AccessRequirement<Kind>): FetchGuard<RequestIdentities[Kind]> =>
    (handler) =>
    async (request, connection = {}) => {
      const asked = identity.authorize(toGuarded(request, connection), requirement);
      const caller = await asked.catch(toRefusal);
      return caller instanceof Response ? caller : handler(request, caller);
    };
  return toGuards(identity, toGuard, toGuard);
}

function toGuarded(request: Request, { remoteAddress }: ConnectionInfo): ApiRequest {
  const url = new URL(request.url);
  return { ...toApiRequest(request, url, url.pathname), remoteAddress };
}

function toRefusal(error: unknown): Response {
  if (!(error instanceof IdentityError) || error.status >= 500) throw error;
  return new Response(null, { status: error.status, headers: error.headers });
}
