import { generalError } from "../../errors/identity-error.js";
import type { ApiRequest } from "../../ports/transport.js";
import { parseUuid } from "../../shared/text.js";
import { type AnonymousCaller, toAnonymousRequest } from "../authenticate/anonymous-caller.js";
import type { Principal } from "../authenticate/principal.js";
import { type AuthorizedCall, authorizeCall, type RequestedCall } from "./authorize-call.js";

/** Who calls in process. */
export type InProcessCaller = Principal | AnonymousCaller;

/** A call in process that its caller may make. */
export interface AuthorizedInProcessCall extends AuthorizedCall {
  /** The request that the call stands for; undefined for callers that a host names. */
  readonly request: ApiRequest | undefined;
}

/**
 * Decides whether a caller in process may make a call, and for which tenant. Nobody's call is one over HTTP without a credential.
 * @throws IdentityError 401 when it may not; 400 when the tenant is no UUID.
 */
export function authorizeInProcess(
  caller: InProcessCaller,
  call: RequestedCall,
  tenantId: string | undefined,
): AuthorizedInProcessCall {
  const header = { name: "tenantId", value: tenantId, isRefusedOnGlobal: true };
  if (caller.kind !== "anonymous") return { ...authorizeCall(caller, call, header), request: undefined };
  // What is open to this machine alone is for those who connect to it, and not for whom a host speaks for.
  if (call.access === "local" || isElsewhere(caller.tenantId, tenantId)) throw generalError("unauthorized");
  const request = toAnonymousRequest(caller, call.method, call.endpoint);
  return { ...authorizeCall(undefined, call, { ...header, value: caller.tenantId ?? tenantId }), request };
}

function isElsewhere(bound: string | undefined, named: string | undefined): boolean {
  return bound !== undefined && named !== undefined && parseUuid(named.trim()) !== parseUuid(bound.trim());
}
