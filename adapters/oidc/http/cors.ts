import type { ApiRequest, ApiResponse } from "latchkey/ports";
import type { FoundRoute } from "./routes.js";

/** Documents that every page may read. */
const open: ReadonlySet<string> = new Set(["discovery", "jwks"]);

/** Endpoints that pages call for their client, where it allows their origin. */
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
 * The answer to a browser that asks whether a page may call an endpoint of clients; undefined for what is no such question. It does not know the
 * client yet: every page may ask, and {@link addCorsHeaders} decides who reads the answer. No cookie counts at these endpoints.
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

/** The answer of an endpoint, which the page at an origin may read where `allows` says so. */
export async function addCorsHeaders(
  { headers: { origin } }: ApiRequest,
  { name }: FoundRoute,
  response: ApiResponse,
  allows: (origin: string) => Promise<boolean> | boolean,
): Promise<ApiResponse> {
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
