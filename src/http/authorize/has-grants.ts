import type { EndpointGrants, Principal } from "../authenticate/principal.js";

/** Whether a principal's grants include all of these: a caller must hold the rights that it passes on. */
export function hasGrants(principal: Principal | undefined, wanted: EndpointGrants): boolean {
  if (principal === undefined || principal.kind === "user") return false;
  if (principal.kind === "host" || principal.grants === "all") return true;
  if (wanted === "all") return false;
  const { grants } = principal;
  return [...wanted].every(([endpoint, methods]) => [...methods].every((method) => grants.get(endpoint)?.has(method) ?? false));
}
