import { defineIdRoutes, defineRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type IdInput, type PatchInput, type RecordRow, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { lazySchema } from "../schemas.js";
import type { Registration } from "../users/schema.js";
import type { CreatedRegistration, ParsedRegistrationRequest, RegistrationRequest, RegistrationResponse } from "./schema.js";

/** The body of PUT; the application is in the body or beside it. */
export type UpdateRegistrationInput = RegistrationRequest & { readonly userId: string; readonly applicationId?: string };

/** Operations on registrations (docs/reference/users.md). */
export interface RegistrationOperations {
  /** Creates and returns a record. */
  readonly create: OperationSignature<RegistrationRequest & { readonly userId?: string }, CreatedRegistration>;
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<IdInput<"userId" | "applicationId">, RegistrationResponse>;
  /** Replaces a record; missing members return to their defaults. */
  readonly update: OperationSignature<UpdateRegistrationInput, RegistrationResponse>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"userId" | "applicationId">, RegistrationResponse>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"userId" | "applicationId">, undefined>;
}

export const registrationsTable: Table = defineTable({
  name: "registrations",
  tenancy: "tenant",
  since: 1,
  columns: {
    userId: { type: "id", references: { table: "users", onRemove: "cascade" } },
    applicationId: { type: "id", references: { table: "applications", onRemove: "cascade" } },
    moderationId: { type: "text", isNullable: true, since: 4 },
  },
  uniqueKeys: [{ name: "registration", columns: ["userId", "applicationId"] }],
  indexes: [{ columns: ["applicationId"] }, { columns: ["moderationId"], since: 4 }],
});

/** No filters: callers find registrations by user and application. */
export const registrationSearch: SearchDefinition = {
  filters: {},
  sortable: { insertInstant: { column: "insertInstant" } },
  defaultOrder: "insertInstant ASC",
};

/** The family of a user's registrations to applications. */
export const registrationFamily: RecordRow<"registrations", Registration, ParsedRegistrationRequest, RegistrationOperations> = {
  name: "registrations",
  wrapper: "registration",
  plural: "registrations",
  idParameter: "registrationId",
  addressParameters: ["userId", "applicationId"],
  table: registrationsTable,
  request: lazySchema("users", "registrationRequest"),
  search: registrationSearch,
  uniquePaths: { registration: "registration" },
  setPaths: new Set(["registration.roles", "registration.preferredLanguages"]),
  operations: {
    create: customOperation("userId"),
    retrieve: standard,
    update: customOperation("userId", "applicationId"),
    patch: customOperation("registrationId", "userId", "applicationId"),
    remove: standard,
  },
  routes: [
    ...defineRoutes([
      ["POST", "/api/user/registration", "tenant", "create"],
      ["POST", "/api/user/registration/:userId", "tenant", "create"],
      ["GET", "/api/user/registration/:userId", "tenant", "retrieve"],
      ["GET", "/api/user/registration/:userId/:applicationId", "tenant", "retrieve"],
      ["PUT", "/api/user/registration", "tenant", "update"],
      ["PATCH", "/api/user/registration", "tenant", "patch"],
      ["DELETE", "/api/user/registration", "tenant", "remove"],
    ]),
    ...defineIdRoutes("/api/user/registration/:userId/:applicationId", "tenant", {
      PUT: "update",
      PATCH: "patch",
      DELETE: "remove",
    }),
  ],
  tables: [registrationsTable],
  announced: [registrationsTable],
  auditName: "registration",
};
