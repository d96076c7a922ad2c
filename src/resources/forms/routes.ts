import { defineRecordRoutes, defineRoutes, type Route } from "../../http/route/define-route.js";
import {
  type AnyOperation,
  defineOperation,
  lazyOperation,
  type OperationSignature,
  type OperationsOf,
} from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput } from "../../operations/wire-types.js";
import { forms } from "./rules.js";
import type {
  DescribeFormInput,
  DescribeFormResponse,
  Form,
  FormRequest,
  ValidateFormInput,
  ValidateFormResponse,
} from "./schema.js";

/** What can be done with forms (docs/reference/forms.md#forms). */
export interface FormOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<FormRequest & Partial<IdInput<"formId">>, { readonly form: Form }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"formId">, { readonly form: Form }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly forms: readonly Form[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<FormRequest & IdInput<"formId">, { readonly form: Form }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"formId">, { readonly form: Form }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"formId">, undefined>;
  /** The form as a front end shows it. */
  readonly describe: OperationSignature<DescribeFormInput, DescribeFormResponse>;
  /** Validates a submission; stores nothing. Throws the refusals of the fields, then those of the application's lambda. */
  readonly validate: OperationSignature<ValidateFormInput, ValidateFormResponse>;
}

export const formOperations: OperationsOf<FormOperations> = {
  create: createOperation(forms),
  retrieve: retrieveOperation(forms),
  list: listOperation(forms),
  update: updateOperation(forms),
  patch: patchOperation(forms),
  remove: removeOperation(forms),
  describe: defineOperation(
    "forms.describe",
    ["formId", "locale"],
    lazyOperation(() => import("../../forms/describe-form.js"), "describeForm"),
  ),
  validate: defineOperation(
    "forms.validate",
    ["formId"],
    lazyOperation(() => import("../../forms/validate-form.js"), "validateForm"),
  ),
};

const { describe, validate } = formOperations;

// Forms are nobody's own, and each tenant's users fill them in.
export const formRoutes: readonly Route<AnyOperation>[] = [
  ...defineRecordRoutes<AnyOperation>("/api/form/:formId", "global", formOperations),
  ...defineRoutes<AnyOperation>([
    ["GET", "/api/form/:formId/describe", "tenant", describe],
    ["POST", "/api/form/:formId/describe", "tenant", describe],
    ["POST", "/api/form/:formId/validate", "tenant", validate],
    ["POST", "/api/form/validate", "tenant", validate],
  ]),
];
