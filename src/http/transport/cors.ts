import type { ApiRequest, ApiResponse } from "../../ports/transport.js";
import { assertKnownOptions, type OptionNames } from "../../shared/known-options.js";

/** The pages of other origins that may call the service from a browser. */
export interface CorsOptions {
  /** Origins such as `https://app.example.com`, or `*` for all, which then get no cookies. */
  readonly origins: readonly string[] | "*";
  /** Whether browsers send cookies along; the origins count as `trustedOrigins` then. Default false. */
  readonly credentials?: boolean | undefined;
  /** Response headers that scripts can read beside the usual ones. Default `ETag`, `Retry-After` and `X-Request-Id`. */
  readonly exposedHeaders?: readonly string[] | undefined;
  /** How long browsers cache the answer to a preflight, in seconds. Default 600. */
  readonly maxAgeSeconds?: number | undefined;
}

const names: OptionNames<CorsOptions> = {
  credentials: "boolean",
  exposedHeaders: "list",
  maxAgeSeconds: "number",
  origins: "text or list",
};
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** @throws TypeError for values that browsers would refuse. */
export function assertCors(cors: CorsOptions | undefined): void {
  if (cors === undefined) return;
  assertKnownOptions("cors", cors, names);
  const { credentials = false, exposedHeaders = [], maxAgeSeconds = 600, origins } = cors;
  if (origins !== "*" && !Array.isArray(origins)) throw new TypeError('cors.origins must be a list of origins, or "*".');
  if (origins === "*" && credentials) throw new TypeError("cors.credentials needs the origins by name.");
  for (const origin of origins)
    if (origins !== "*" && (!URL.canParse(origin) || new URL(origin).origin !== origin))
      throw new TypeError(`cors.origins holds ${origin}, which is no origin such as https://app.example.com.`);
  if (!exposedHeaders.every((name) => headerName.test(name)))
    throw new TypeError("cors.exposedHeaders must be names of headers.");
  if (!Number.isSafeInteger(maxAgeSeconds) || maxAgeSeconds < 0)
    throw new TypeError("cors.maxAgeSeconds must be a whole number.");
}

/** The answer to a CORS preflight; undefined for any other request. */
export function writePreflight(
  cors: CorsOptions | undefined,
  { headers, method }: ApiRequest,
  methods: readonly string[],
): ApiResponse | undefined {
  const isQuestion = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
  if (cors === undefined || !isQuestion || allowedOrigin(cors, headers.origin) === undefined) return undefined;
  const asked = String(headers["access-control-request-headers"] ?? "")
    .split(",")
    .map((name) => name.trim());
  return {
    status: 204,
    headers: {
      "access-control-allow-headers": asked.filter((name) => headerName.test(name)).join(", "),
      "access-control-allow-methods": methods.join(", "),
      "access-control-max-age": String(cors.maxAgeSeconds ?? 600),
    },
    body: "",
  };
}

/** Adds the CORS headers for an allowed origin. `Vary` has the origin in any case, for caches. */
export function withCors(cors: CorsOptions, asked: ApiRequest["headers"][string], response: ApiResponse): ApiResponse {
  const origin = allowedOrigin(cors, asked);
  const { credentials = false, exposedHeaders = ["ETag", "Retry-After", "X-Request-Id"] } = cors;
  const allowed = origin !== undefined && {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposedHeaders.join(", "),
    ...(credentials && { "access-control-allow-credentials": "true" }),
  };
  const { vary } = response.headers;
  const varied = vary === undefined || /\borigin\b/i.test(String(vary)) ? (vary ?? "Origin") : `${vary}, Origin`;
  return { ...response, headers: { ...response.headers, ...allowed, vary: varied } };
}

/** Whether the option allows pages of an origin to call. */
export function allowsOrigin(cors: CorsOptions | undefined, origin: string): boolean {
  return cors !== undefined && allowedOrigin(cors, origin) !== undefined;
}

function allowedOrigin({ origins }: CorsOptions, origin: ApiRequest["headers"][string]): string | undefined {
  if (origins === "*") return "*";
  return typeof origin === "string" && origins.includes(origin) ? origin : undefined;
}
