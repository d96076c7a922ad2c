import { fieldError, generalError } from "../../errors/identity-error.js";
import { globalScope, type TenantScope, tenantScope } from "../../ports/storage.js";
import { parseUuid } from "../../shared/text.js";
import type { Principal } from "../authenticate/principal.js";
import { type Access, isOptional, type Method } from "../route/define-route.js";

/** The call to authorize: a route without its path. */
export interface RequestedCall {
  readonly method: Method;
  readonly endpoint: string;
  readonly access: Access;
}

/** The tenant header of a request, and its settings. */
export interface TenantHeader {
  /** `X-Service-TenantId` with the host's word for the service. */
  readonly name: string;
  readonly value: string | undefined;
  /** Since 1.65.0 a tenant header on a global-only endpoint is refused; before, it was ignored. */
  readonly isRefusedOnGlobal: boolean;
}

/** A call that a principal may make. */
export interface AuthorizedCall {
  /** The caller. A key for several tenants is bound to the tenant of the call. */
  readonly principal: Principal | undefined;
  readonly scope: TenantScope;
}

/**
 * Decides whether a principal may make a call, and for which tenant (docs/reference/api-keys.md#permissions,
 * docs/reference/authentication.md#tenant-header).
 * @throws IdentityError 401 when it may not; 400 when the tenant header is no UUID, or absent with a key for several tenants.
 */
export function authorizeCall(given: Principal | undefined, call: RequestedCall, header: TenantHeader): AuthorizedCall {
  const principal = bindToTenant(given, call, header);
  return { principal, scope: findScope(principal, call, header) };
}

// Later steps see a key for several tenants as a key of one tenant.
function bindToTenant(principal: Principal | undefined, { access }: RequestedCall, header: TenantHeader): Principal | undefined {
  if (principal?.kind !== "apiKey" || principal.tenantIds === undefined) return principal;
  if (access === "global" || access === "local") throw generalError("unauthorized");
  const tenantId = parseTenantHeader(header);
  if (tenantId === undefined) throw generalError("TenantIdRequired");
  if (!principal.tenantIds.has(tenantId)) throw generalError("unauthorized");
  return { ...principal, tenantId, tenantIds: undefined };
}

function findScope(principal: Principal | undefined, call: RequestedCall, header: TenantHeader): TenantScope {
  if (isOpen(principal, call)) return toScope(parseTenantHeader(header));
  // Without a principal, only callers on this machine that the host allows arrive here (see handle.ts).
  if (principal === undefined && call.access === "local") return authorizeGlobal(undefined, header);
  if (principal === undefined || !isAllowed(principal, call)) throw generalError("unauthorized");
  if (call.access === "global" || call.access === "local") return authorizeGlobal(principal, header);
  const named = parseTenantHeader(header);
  const bound = principal.tenantId;
  if (bound !== undefined && named !== undefined && named !== bound) throw generalError("unauthorized");
  return call.access === "shared" ? authorizeShared(bound, call) : toScope(bound ?? named);
}

// Visitors may call only endpoints in the table of their pages, also among public ones.
function isOpen(principal: Principal | undefined, { access }: RequestedCall): boolean {
  if (principal?.kind === "visitor") return false;
  return access === "public" || (isOptional(access) && principal === undefined);
}

// Records that all tenants share belong to none, so a caller bound to a tenant may only read them
// (docs/reference/api-keys.md#permissions).
function authorizeShared(bound: string | undefined, { method }: RequestedCall): TenantScope {
  if (bound !== undefined && method !== "GET") throw generalError("unauthorized");
  return globalScope;
}

function authorizeGlobal(principal: Principal | undefined, header: TenantHeader): TenantScope {
  const isHeaderRefused = header.isRefusedOnGlobal && header.value !== undefined;
  if (principal?.tenantId !== undefined || isHeaderRefused) throw generalError("unauthorized");
  return globalScope;
}

const userAccesses: ReadonlySet<Access> = new Set(["optionalOrUser", "tenantOrUser", "user"]);

/** Whether a principal has the grant for a call, regardless of tenants. */
export function hasGrant(principal: Principal | undefined, call: RequestedCall): boolean {
  return principal !== undefined && isAllowed(principal, call);
}

function isAllowed(principal: Principal, call: RequestedCall): boolean {
  if (principal.kind === "host") return true;
  if (call.access === "token") return principal.kind === "user" || principal.kind === "client";
  if (principal.kind === "user") return userAccesses.has(call.access);
  if (call.access === "user") return false;
  if (call.access === "keyManager") return principal.kind !== "client" && principal.isKeyManager;
  return principal.grants === "all" || (principal.grants.get(call.endpoint)?.has(call.method) ?? false);
}

function parseTenantHeader(header: TenantHeader): string | undefined {
  if (header.value === undefined || header.value === "") return undefined;
  const tenantId = parseUuid(header.value.trim());
  if (tenantId === undefined) throw fieldError("couldNotConvert", header.name);
  return tenantId;
}

function toScope(tenantId: string | undefined): TenantScope {
  return tenantId === undefined ? globalScope : tenantScope(tenantId);
}
