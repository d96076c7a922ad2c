import { type FieldErrorList, fieldError, generalError } from "../errors/identity-error.js";
import { globalScope, type StoredRecord } from "../ports/storage.js";
import { directoryContext, type OperationCall, type WriteCall } from "./operation.js";

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

/** Users whom the fields of a record name. */
export interface NamedUsers {
  readonly wrapper: string;
  /** Ids by field: that of the user to whom the record belongs first. */
  readonly ids: Readonly<Record<string, string>>;
  /** Whether the others may be of another tenant. */
  readonly mayBeOthers?: boolean;
}

/** The tenant of a record by the users whom it names; adds `[invalid]<wrapper>.<field>` for each who is out of sight or of another tenant. */
export async function findTenantOfUsers(
  call: WriteCall,
  { ids, mayBeOthers = false, wrapper }: NamedUsers,
  errors: FieldErrorList,
): Promise<string> {
  const found = await call.service.directory.findUsers(directoryContext(call), [...new Set(Object.values(ids))]);
  // A host's directory is asked within the scope; that it keeps to it is checked all the same.
  const seen = found.filter(({ tenantId }) => call.scope.kind === "global" || tenantId === call.scope.tenantId);
  const tenants = new Map(seen.map((user) => [user.id, user.tenantId]));
  const own = tenants.get(Object.values(ids)[0] ?? "");
  for (const [field, id] of Object.entries(ids)) {
    const tenantId = tenants.get(id);
    if (tenantId === undefined || (!mayBeOthers && tenantId !== (own ?? tenantId))) errors.add("invalid", `${wrapper}.${field}`);
  }
  return own ?? "";
}
