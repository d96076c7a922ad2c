import { generalError } from "../../errors/identity-error.js";
import type { ApiRequest } from "../../ports/transport.js";
import { parseUuid } from "../../shared/text.js";
import { type AnonymousCaller, toAnonymousRequest } from "../authenticate/anonymous-caller.js";
import type { Principal } from "../authenticate/principal.js";
import { type AuthorizedCall, authorizeCall, type RequestedCall } from "./authorize-call.js";

/** A caller in process. */
export type InProcessCaller = Principal | AnonymousCaller;

/** A call in process that its caller may make. */
export interface AuthorizedInProcessCall extends AuthorizedCall {
  /** The equivalent HTTP request of an anonymous call; undefined for other callers. */
  readonly request: ApiRequest | undefined;
}

/**
 * Decides whether a caller in process may make a call, and for which tenant. An anonymous call counts as an HTTP request without
 * a credential.
 * @throws IdentityError 401 when it may not; 400 when the tenant is no UUID.
 */
export function authorizeInProcess(
  caller: InProcessCaller,
  call: RequestedCall,
  tenantId: string | undefined,
): AuthorizedInProcessCall {
  const header = { name: "tenantId", value: tenantId, isRefusedOnGlobal: true };
  if (caller.kind !== "anonymous") return { ...authorizeCall(caller, call, header), request: undefined };
  // Local endpoints are for callers that connect on this machine, not for clients of the host.
  if (call.access === "local" || isElsewhere(caller.tenantId, tenantId)) throw generalError("unauthorized");
  const request = toAnonymousRequest(caller, call.method, call.endpoint);
  return { ...authorizeCall(undefined, call, { ...header, value: caller.tenantId ?? tenantId }), request };
}

function isElsewhere(bound: string | undefined, named: string | undefined): boolean {
  return bound !== undefined && named !== undefined && parseUuid(named.trim()) !== parseUuid(bound.trim());
}
