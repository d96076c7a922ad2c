import type { VisitorPrincipal } from "latchkey/types";

/**
 * Returns the principal of anonymous visitors of pages and protocols. `calls`: the allowed calls, as `METHOD /endpoint` without
 * ids, or `POST family.operation` for operations without a route. `tenantId`: the tenant of its calls.
 */
export function createVisitorPrincipal(calls: readonly string[], tenantId?: string): VisitorPrincipal {
  const grants = new Map<string, Set<string>>();
  for (const call of calls) {
    const [method = "", endpoint = ""] = call.split(" ");
    grants.set(endpoint, (grants.get(endpoint) ?? new Set()).add(method));
  }
  return { kind: "visitor", isKeyManager: false, grants, tenantId };
}
