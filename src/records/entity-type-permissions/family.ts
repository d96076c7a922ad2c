import { defineRecordRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type PatchInput,
  type RecordRow,
  recordOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { lazySchema } from "../schemas.js";
import type { EntityTypePermission, ParsedPermissionRequest, PermissionRequest } from "./schema.js";

/** A permission, by id or by name. */
export interface RemovePermissionInput {
  /** The entity type that the permission belongs to. */
  readonly entityTypeId: string;
  /** The permission by its id; pass this or `name`. */
  readonly permissionId?: string;
  /** The permission by its name, compared without case; pass this or `permissionId`. */
  readonly name?: string;
}

type Id = IdInput<"entityTypeId" | "permissionId">;

/** The response of the calls for one permission. */
export interface PermissionResponse {
  /** The stored permission. */
  readonly permission: EntityTypePermission;
}

/** Operations on the permissions of an entity type (docs/reference/entities.md). */
export interface EntityTypePermissionOperations {
  /** Creates and returns a record. */
  readonly create: OperationSignature<
    PermissionRequest & IdInput<"entityTypeId"> & Partial<IdInput<"permissionId">>,
    PermissionResponse
  >;
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<Id, PermissionResponse>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<IdInput<"entityTypeId">, { readonly permissions: readonly EntityTypePermission[] }>;
  /** Replaces a record; missing members return to their defaults. */
  readonly update: OperationSignature<PermissionRequest & Id, PermissionResponse>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"entityTypeId" | "permissionId">, PermissionResponse>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<RemovePermissionInput, undefined>;
}

export const entityTypePermissionsTable: Table = defineTable({
  name: "entityTypePermissions",
  tenancy: "global",
  since: 2,
  columns: {
    entityTypeId: { type: "id", references: { table: "entityTypes", onRemove: "cascade" } },
    nameFolded: foldedName,
  },
  uniqueKeys: [{ name: "name", columns: ["entityTypeId", "nameFolded"] }],
  indexes: [],
});

/** The family of an entity type's permissions. */
export const entityTypePermissionFamily: RecordRow<
  "entityTypePermissions",
  EntityTypePermission,
  ParsedPermissionRequest,
  EntityTypePermissionOperations
> = {
  name: "entityTypePermissions",
  wrapper: "permission",
  plural: "permissions",
  idParameter: "permissionId",
  addressParameters: ["entityTypeId"],
  table: entityTypePermissionsTable,
  request: lazySchema("entities", "permissionRequest"),
  search: nameSearch,
  uniquePaths: { name: "permission.name" },
  setPaths: new Set(),
  operations: { ...recordOperations, remove: customOperation("entityTypeId", "permissionId", "name") },
  routes: defineRecordRoutes("/api/entity/type/:entityTypeId/permission/:permissionId", "shared"),
  tables: [entityTypePermissionsTable],
  auditName: "entity type permission",
  configuration: {
    key: ["entityTypeId", "name"],
    references: { entityTypeId: "entityTypes" },
    address: "entityTypeId",
    nested: { in: "entityTypes", as: "permissions" },
  },
};
