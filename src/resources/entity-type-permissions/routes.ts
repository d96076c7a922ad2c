import { defineRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput } from "../../operations/wire-types.js";
import { entityTypePermissions, listFilter, type RemovePermissionInput, removePermission } from "./rules.js";
import type { EntityTypePermission, PermissionRequest } from "./schema.js";

type Id = IdInput<"entityTypeId" | "permissionId">;

/** The answer that shows one permission. */
export interface PermissionResponse {
  /** The stored permission. */
  readonly permission: EntityTypePermission;
}

/** What can be done with the permissions of an entity type (docs/reference/entities.md). */
export interface EntityTypePermissionOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<
    PermissionRequest & IdInput<"entityTypeId"> & Partial<IdInput<"permissionId">>,
    PermissionResponse
  >;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<Id, PermissionResponse>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<IdInput<"entityTypeId">, { readonly permissions: readonly EntityTypePermission[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<PermissionRequest & Id, PermissionResponse>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"entityTypeId" | "permissionId">, PermissionResponse>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<RemovePermissionInput, undefined>;
}

export const entityTypePermissionOperations: OperationsOf<EntityTypePermissionOperations> = {
  create: createOperation(entityTypePermissions),
  retrieve: retrieveOperation(entityTypePermissions),
  list: listOperation(entityTypePermissions, listFilter),
  update: updateOperation(entityTypePermissions),
  patch: patchOperation(entityTypePermissions),
  remove: removePermission,
};

const { create, retrieve, list, update, patch, remove } = entityTypePermissionOperations;

export const entityTypePermissionRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/entity/type/:entityTypeId/permission", "shared", create],
  ["POST", "/api/entity/type/:entityTypeId/permission/:permissionId", "shared", create],
  ["GET", "/api/entity/type/:entityTypeId/permission", "shared", list],
  ["GET", "/api/entity/type/:entityTypeId/permission/:permissionId", "shared", retrieve],
  ["PUT", "/api/entity/type/:entityTypeId/permission", "shared", update],
  ["PUT", "/api/entity/type/:entityTypeId/permission/:permissionId", "shared", update],
  ["PATCH", "/api/entity/type/:entityTypeId/permission", "shared", patch],
  ["PATCH", "/api/entity/type/:entityTypeId/permission/:permissionId", "shared", patch],
  ["DELETE", "/api/entity/type/:entityTypeId/permission", "shared", remove],
  ["DELETE", "/api/entity/type/:entityTypeId/permission/:permissionId", "shared", remove],
]);
