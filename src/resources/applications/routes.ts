import { defineRecordRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { searchOperation } from "../../operations/verbs/search.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import {
  applications,
  listFilter,
  type RemoveApplicationInput,
  removeApplication,
  type UpdateApplicationInput,
  updateApplication,
} from "./rules.js";
import type { Application, ApplicationRequest } from "./schema.js";

/** The criteria of an application search (docs/reference/search.md). */
export interface ApplicationCriteria {
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
  /** Only applications in this state. Default: both. */
  readonly state?: "Active" | "Inactive";
  /** Only applications of this tenant. */
  readonly tenantId?: string;
}

/** What can be done with applications (docs/reference/tenants.md#applications). */
export interface ApplicationOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<
    ApplicationRequest & Partial<IdInput<"applicationId">>,
    { readonly application: Application }
  >;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"applicationId">, { readonly application: Application }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<{ readonly inactive?: boolean }, { readonly applications: readonly Application[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<UpdateApplicationInput, { readonly application: Application }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"applicationId">, { readonly application: Application }>;
  /** Deactivates an application; `hardDelete: true` erases it; 404 for an unknown one. */
  readonly remove: OperationSignature<RemoveApplicationInput, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<ApplicationCriteria>, SearchOutput<"applications", Application>>;
}

export const applicationOperations: OperationsOf<ApplicationOperations> = {
  create: createOperation(applications),
  retrieve: retrieveOperation(applications),
  list: listOperation(applications, listFilter, ["inactive"]),
  update: updateApplication,
  patch: patchOperation(applications),
  remove: removeApplication,
  search: searchOperation(applications),
};

export const applicationRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/application/:applicationId",
  "tenant",
  applicationOperations,
);
