import { fieldError, generalError } from "../errors/identity-error.js";
import { globalScope, type StoredRecord } from "../ports/storage.js";
import type { OperationCall } from "./operation.js";

/**
 * The tenant that a new record belongs to (docs/reference/authentication.md#tenant-header): the one the call is bound to, else the one that the body names,
 * else the only one there is.
 * @throws IdentityError 400 `[TenantIdRequired]` when there are several; `[invalid]tenantId` for an unknown one.
 */
export async function resolveTenant(
  call: OperationCall,
  inBody?: { readonly tenantId?: string | undefined; readonly path: string },
): Promise<string> {
  const bound = call.scope.kind === "tenant" ? call.scope.tenantId : undefined;
  const tenantId = bound ?? inBody?.tenantId;
  if (tenantId === undefined) return onlyTenant(call);
  const tenant = await call.reader.retrieve(globalScope, call.service.tenantsTable, tenantId);
  if (tenant === undefined) throw fieldError("invalid", bound === undefined && inBody ? inBody.path : "tenantId");
  return usableTenant(tenant);
}

/** The only tenant there is. @throws IdentityError 400 `[TenantIdRequired]` when there are several. */
export async function onlyTenant(call: OperationCall): Promise<string> {
  const [tenant, another] = await call.reader.find(globalScope, call.service.tenantsTable, undefined, { limit: 2 });
  if (tenant === undefined || another !== undefined) throw generalError("TenantIdRequired");
  // The last one left is the default tenant, which is never being deleted.
  return tenant.id;
}

/** @throws IdentityError 400 `[pendingDelete]tenantId` when the tenant is being deleted: nothing in it changes any more. */
export async function assertUsableTenant(call: OperationCall, tenantId: string | null | undefined): Promise<void> {
  if (tenantId === null || tenantId === undefined) return;
  const tenant = await call.reader.retrieve(globalScope, call.service.tenantsTable, tenantId);
  if (tenant !== undefined) usableTenant(tenant);
}

function usableTenant(tenant: StoredRecord): string {
  const { state } = JSON.parse(tenant.json) as { readonly state?: string };
  if (state === "PendingDelete") throw fieldError("pendingDelete", "tenantId");
  return tenant.id;
}
