import type { VisitorPrincipal } from "latchkey/types";

/**
 * Returns the principal of visitors of pages and protocols. `calls`: all that it may call, as `METHOD /endpoint` without ids, or as
 * `POST family.operation` for what no route leads to. `tenantId`: the tenant that its calls are bound to.
 */
export function createVisitorPrincipal(calls: readonly string[], tenantId?: string): VisitorPrincipal {
  const grants = new Map<string, Set<string>>();
  for (const call of calls) {
    const [method = "", endpoint = ""] = call.split(" ");
    grants.set(endpoint, (grants.get(endpoint) ?? new Set()).add(method));
  }
  return { kind: "visitor", isKeyManager: false, grants, tenantId };
}
