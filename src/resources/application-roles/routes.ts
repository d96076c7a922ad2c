import { defineRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput } from "../../operations/wire-types.js";
import { applicationRoles, type RemoveRoleInput, removeRole } from "./rules.js";
import type { ApplicationRole, RoleRequest } from "./schema.js";

/** What can be done with the roles of an application (docs/reference/tenants.md#applications). */
export interface ApplicationRoleOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<
    RoleRequest & IdInput<"applicationId"> & Partial<IdInput<"roleId">>,
    { readonly role: ApplicationRole }
  >;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<RoleRequest & IdInput<"applicationId" | "roleId">, { readonly role: ApplicationRole }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"applicationId" | "roleId">, { readonly role: ApplicationRole }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<RemoveRoleInput, undefined>;
}

export const applicationRoleOperations: OperationsOf<ApplicationRoleOperations> = {
  create: createOperation(applicationRoles),
  update: updateOperation(applicationRoles),
  patch: patchOperation(applicationRoles),
  remove: removeRole,
};

const { create, update, patch, remove } = applicationRoleOperations;

export const applicationRoleRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/application/:applicationId/role", "tenant", create],
  ["POST", "/api/application/:applicationId/role/:roleId", "tenant", create],
  ["PUT", "/api/application/:applicationId/role", "tenant", update],
  ["PUT", "/api/application/:applicationId/role/:roleId", "tenant", update],
  ["PATCH", "/api/application/:applicationId/role", "tenant", patch],
  ["PATCH", "/api/application/:applicationId/role/:roleId", "tenant", patch],
  ["DELETE", "/api/application/:applicationId/role", "tenant", remove],
  ["DELETE", "/api/application/:applicationId/role/:roleId", "tenant", remove],
]);
