import { defineRecordRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput } from "../../operations/wire-types.js";
import { formFields } from "./rules.js";
import type { FormField, FormFieldRequest } from "./schema.js";

/** What can be done with form fields (docs/reference/forms.md#form-fields). */
export interface FormFieldOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<FormFieldRequest & Partial<IdInput<"fieldId">>, { readonly field: FormField }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"fieldId">, { readonly field: FormField }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly fields: readonly FormField[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<FormFieldRequest & IdInput<"fieldId">, { readonly field: FormField }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"fieldId">, { readonly field: FormField }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"fieldId">, undefined>;
}

export const formFieldOperations: OperationsOf<FormFieldOperations> = {
  create: createOperation(formFields),
  retrieve: retrieveOperation(formFields),
  list: listOperation(formFields),
  update: updateOperation(formFields),
  patch: patchOperation(formFields),
  remove: removeOperation(formFields),
};

export const formFieldRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/form/field/:fieldId",
  "global",
  formFieldOperations,
);
