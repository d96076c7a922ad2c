import { defineRecordRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
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
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<TenantRequest & Partial<IdInput<"tenantId">>, { readonly tenant: Tenant }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"tenantId">, { readonly tenant: Tenant }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly tenants: readonly Tenant[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<TenantRequest & IdInput<"tenantId">, { readonly tenant: Tenant }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"tenantId">, { readonly tenant: Tenant }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<RemoveTenantInput, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<{ readonly name?: string }>, SearchOutput<"tenants", Tenant>>;
}

export const tenantOperations: OperationsOf<TenantOperations> = {
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
