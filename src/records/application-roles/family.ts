import { defineIdRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import { customOperation, type IdInput, type PatchInput, type RecordRow, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { lazySchema } from "../schemas.js";
import type { ApplicationRole, ParsedRoleRequest, RoleRequest } from "./schema.js";

/** A role, by id or by name. */
export interface RemoveRoleInput {
  /** The application that the role belongs to. */
  readonly applicationId: string;
  /** The role by its id; pass this or `name`. */
  readonly roleId?: string;
  /** The role by its name, compared without case; pass this or `roleId`. */
  readonly name?: string;
}

/** Operations on the roles of an application (docs/reference/tenants.md#applications). */
export interface ApplicationRoleOperations {
  /** Creates and returns a record. */
  readonly create: OperationSignature<
    RoleRequest & IdInput<"applicationId"> & Partial<IdInput<"roleId">>,
    { readonly role: ApplicationRole }
  >;
  /** Replaces a record; missing members return to their defaults. */
  readonly update: OperationSignature<RoleRequest & IdInput<"applicationId" | "roleId">, { readonly role: ApplicationRole }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"applicationId" | "roleId">, { readonly role: ApplicationRole }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<RemoveRoleInput, undefined>;
}

export const applicationRolesTable: Table = defineTable({
  name: "applicationRoles",
  tenancy: "tenant",
  since: 1,
  columns: {
    applicationId: { type: "id", references: { table: "applications", onRemove: "cascade" } },
    nameFolded: foldedName,
  },
  uniqueKeys: [{ name: "name", columns: ["applicationId", "nameFolded"] }],
  indexes: [],
});

/** The family of an application's roles. */
export const applicationRoleFamily: RecordRow<"applicationRoles", ApplicationRole, ParsedRoleRequest, ApplicationRoleOperations> =
  {
    name: "applicationRoles",
    wrapper: "role",
    plural: "roles",
    idParameter: "roleId",
    addressParameters: ["applicationId"],
    table: applicationRolesTable,
    request: lazySchema("tenants", "roleRequest"),
    search: nameSearch,
    uniquePaths: { name: "role.name" },
    setPaths: new Set(),
    operations: {
      create: standard,
      update: standard,
      patch: standard,
      remove: customOperation("applicationId", "roleId", "name"),
    },
    routes: defineIdRoutes("/api/application/:applicationId/role/:roleId", "tenant", {
      POST: "create",
      PUT: "update",
      PATCH: "patch",
      DELETE: "remove",
    }),
    tables: [applicationRolesTable],
    auditName: "application role",
    configuration: {
      key: ["applicationId", "name"],
      references: { applicationId: "applications" },
      address: "applicationId",
      nested: { in: "applications", as: "roles" },
    },
  };
