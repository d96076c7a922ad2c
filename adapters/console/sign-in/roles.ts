import type { EndpointGrants, IdentityService } from "latchkey";

/** The permissions of an administrator, from fewest to all. */
export type ConsoleRole = "read-only" | "support" | "full";

/** The roles from most to fewest permissions: the first that a user has applies. */
export const consoleRoles: readonly ConsoleRole[] = ["full", "support", "read-only"];

/** Descriptions of the roles for the console's application. */
export const roleDescriptions: Readonly<Record<ConsoleRole, string>> = {
  full: "Everything, administrators and API keys included",
  support: "Reads, and helps users: passwords, verification, sessions, second factors, passkeys, actions, comments",
  "read-only": "Reads everything but secrets",
};

// Their responses contain secrets: API key values, passwords of webhooks and messengers, client secrets, tokens of other
// services.
const secretEndpoints: ReadonlySet<string> = new Set([
  "/api/api-key",
  "/api/connector",
  "/api/entity",
  "/api/entity/search",
  "/api/identity-provider",
  "/api/identity-provider/link",
  "/api/identity-provider/link/pending",
  "/api/identity-provider/link/search",
  "/api/identity-provider/search",
  "/api/integration",
  "/api/messenger",
  "/api/two-factor/secret",
  "/api/user/two-factor/recovery-code",
  "/api/webhook",
  "/api/webhook/search",
]);

// POST endpoints that change nothing.
const readingEndpoints: ReadonlySet<string> = new Set([
  "/api/email/template/preview",
  "/api/form/describe",
  "/api/form/validate",
  "/api/message/template/preview",
]);

/** Calls that support may make besides reading: `METHOD:endpoint`. */
const helpCalls: ReadonlySet<string> = new Set([
  "POST:/api/user/forgot-password",
  "POST:/api/user/change-password",
  "PUT:/api/user/verify-email",
  "POST:/api/user/verify-email",
  "PUT:/api/user/verify-registration",
  "POST:/api/user/verify-registration",
  "POST:/api/identity/verify",
  "POST:/api/identity/verify/send",
  "DELETE:/api/jwt/refresh",
  "DELETE:/api/user/two-factor",
  "DELETE:/api/webauthn",
  "POST:/api/user/action",
  "PUT:/api/user/action",
  "DELETE:/api/user/action",
  "POST:/api/user/comment",
  "POST:/api/system/audit-log",
]);

interface EndpointMethod {
  readonly method: string;
  readonly endpoint: string;
}

function isReading({ method, endpoint }: EndpointMethod): boolean {
  if (secretEndpoints.has(endpoint)) return false;
  return method === "GET" || (method === "POST" && (endpoint.endsWith("/search") || readingEndpoints.has(endpoint)));
}

/** The grants of a role on these endpoints. A new endpoint is readable by every role at once, and writable by `full` only. */
export function grantsOf(role: ConsoleRole, endpoints: IdentityService["endpoints"]): EndpointGrants {
  if (role === "full") return "all";
  const grants = new Map<string, Set<string>>();
  for (const { method, endpoint } of endpoints) {
    const isHelp = role === "support" && helpCalls.has(`${method}:${endpoint}`);
    if (isHelp || isReading({ method, endpoint })) grants.set(endpoint, (grants.get(endpoint) ?? new Set()).add(method));
  }
  return grants;
}

/** The grants as JSON. */
export function showGrants(grants: EndpointGrants): "all" | Readonly<Record<string, readonly string[]>> {
  return grants === "all" ? "all" : Object.fromEntries([...grants].map(([endpoint, methods]) => [endpoint, [...methods]]));
}
