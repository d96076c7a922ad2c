import type { FieldErrorList } from "../../errors/identity-error.js";
import { formatPath } from "../../shared/text.js";
import type { Route } from "../route/define-route.js";

/** Whether a grant can name an endpoint: one of some version of the API, or one below the path of a protocol. */
export type IsEndpoint = (endpoint: string) => boolean;

/** Rights without a route, and endpoints that only the reference has. */
const withoutRoute: readonly string[] = [
  "/api/user/export/password-hashes",
  "/api/reactor",
  "/api/report",
  "/api/scim",
  "/api/system-configuration",
  "/api/system/reindex",
];

/** The endpoints that grants can name, for these routes and protocols. */
export function createEndpointCheck(routes: readonly Route<unknown>[], protocolPaths: readonly string[]): IsEndpoint {
  const roots = [...withoutRoute, ...protocolPaths.map((path) => path.replace(/^\/:\w+/, ""))];
  let known: ReadonlySet<string> | undefined;
  return (endpoint) => {
    known ??= new Set(routes.map((route) => route.endpoint));
    return known.has(endpoint) || roots.some((root) => endpoint === root || endpoint.startsWith(`${root}/`));
  };
}

type Endpoints = Readonly<Record<string, unknown>>;

/** Adds an error for each unknown endpoint. Stored ones may stay: an earlier release accepted them. */
export function addUnknownEndpoints(
  errors: FieldErrorList,
  isEndpoint: IsEndpoint,
  { before = {}, path, wanted }: { readonly before: Endpoints | undefined; readonly path: string; readonly wanted: Endpoints },
): void {
  for (const endpoint of Object.keys(wanted)) {
    if (errors.isFull) return;
    if (isEndpoint(endpoint) || Object.hasOwn(before, endpoint)) continue;
    const message = `The API has no endpoint ${endpoint.slice(0, 100)}. Name its path without ids, such as /api/user.`;
    errors.add("invalid", `${path}${formatPath([endpoint])}`, message);
  }
}
