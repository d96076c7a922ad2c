import { defineRecordRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, Operation } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { searchOperation } from "../../operations/verbs/search.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { type RemoveTenantInput, removeTenant, tenants } from "./rules.js";
import type { Tenant, TenantRequest } from "./schema.js";

/** What can be done with tenants (docs/reference/tenants.md#tenants). */
export interface TenantOperations {
  readonly create: Operation<TenantRequest & Partial<IdInput<"tenantId">>, { readonly tenant: Tenant }>;
  readonly retrieve: Operation<IdInput<"tenantId">, { readonly tenant: Tenant }>;
  readonly list: Operation<Record<never, never>, { readonly tenants: readonly Tenant[] }>;
  readonly update: Operation<TenantRequest & IdInput<"tenantId">, { readonly tenant: Tenant }>;
  readonly patch: Operation<PatchInput<"tenantId">, { readonly tenant: Tenant }>;
  readonly remove: Operation<RemoveTenantInput, undefined>;
  readonly search: Operation<SearchInput<{ readonly name?: string }>, SearchOutput<"tenants", Tenant>>;
}

export const tenantOperations: TenantOperations = {
  create: createOperation(tenants),
  retrieve: retrieveOperation(tenants),
  list: listOperation(tenants),
  update: updateOperation(tenants),
  patch: patchOperation(tenants),
  remove: removeTenant,
  search: searchOperation(tenants),
};

export const tenantRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/tenant/:tenantId",
  "tenant",
  tenantOperations,
  "global",
);
