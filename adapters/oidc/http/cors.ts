import type { ApiRequest, ApiResponse } from "latchkey/ports";
import type { FoundRoute } from "./routes.js";

/** Documents that every page may read. */
const open: ReadonlySet<string> = new Set(["discovery", "jwks"]);

/** Endpoints that pages of a client's allowed origins may call. */
const ofClients: ReadonlySet<string> = new Set([
  "device_authorization",
  "introspection",
  "pushed_authorization_request",
  "revocation",
  "token",
  "userinfo",
]);

const tokenShape = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Answers a CORS preflight request to a client endpoint; undefined for any other request. The client is not known yet: every page
 * may ask, and {@link addCorsHeaders} decides which origins may read the response. These endpoints ignore cookies.
 */
export function writePreflight({ headers, method }: ApiRequest, { name }: FoundRoute): ApiResponse | undefined {
  const { origin, "access-control-request-headers": asked = "", "access-control-request-method": wanted } = headers;
  if (method !== "OPTIONS" || wanted === undefined || typeof origin !== "string") return undefined;
  if (!open.has(name) && !ofClients.has(name)) return undefined;
  const names = String(asked).split(",");
  return {
    status: 204,
    headers: {
      "access-control-allow-headers": names.filter((one) => tokenShape.test(one.trim())).join(","),
      "access-control-allow-methods": name === "userinfo" ? "GET, POST" : open.has(name) ? "GET" : "POST",
      "access-control-allow-origin": open.has(name) ? "*" : origin,
      "access-control-max-age": "600",
      vary: "Origin",
    },
    body: "",
  };
}

/** A request to an endpoint, and its response. */
interface Answered {
  readonly request: ApiRequest;
  readonly route: FoundRoute;
  readonly response: ApiResponse;
}

/** Adds CORS headers to a response, so that pages of allowed origins can read it. */
export async function addCorsHeaders(
  { request, route, response }: Answered,
  allows: (origin: string) => Promise<boolean> | boolean,
): Promise<ApiResponse> {
  const { name } = route;
  const { origin } = request.headers;
  if (!open.has(name) && !ofClients.has(name)) return response;
  const { "access-control-allow-origin": given, ...headers } = response.headers;
  if (open.has(name)) return { ...response, headers: { ...headers, "access-control-allow-origin": given ?? "*" } };
  const vary = headers.vary === undefined ? "Origin" : headers.vary;
  const isAllowed = typeof origin === "string" && (await allows(origin));
  const shared = isAllowed && {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "DPoP-Nonce, Retry-After, WWW-Authenticate, X-Request-Id",
  };
  return { ...response, headers: { ...headers, vary, ...shared } };
}
