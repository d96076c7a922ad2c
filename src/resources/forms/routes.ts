import { createOperation } from "../../operations/create.js";
import { listOperation } from "../../operations/list.js";
import type { AnyOperation, Operation } from "../../operations/operation.js";
import { patchOperation } from "../../operations/patch.js";
import { removeOperation } from "../../operations/remove.js";
import { retrieveOperation } from "../../operations/retrieve.js";
import { updateOperation } from "../../operations/update.js";
import type { IdInput, PatchInput } from "../../operations/wire-types.js";
import { defineRecordRoutes, type Route } from "../../route/define-route.js";
import { forms } from "./rules.js";
import type { Form, FormRequest } from "./schema.js";

/** What can be done with forms (facts.md 6.3). */
export interface FormOperations {
  readonly create: Operation<FormRequest & Partial<IdInput<"formId">>, { readonly form: Form }>;
  readonly retrieve: Operation<IdInput<"formId">, { readonly form: Form }>;
  readonly list: Operation<Record<never, never>, { readonly forms: readonly Form[] }>;
  readonly update: Operation<FormRequest & IdInput<"formId">, { readonly form: Form }>;
  readonly patch: Operation<PatchInput<"formId">, { readonly form: Form }>;
  readonly remove: Operation<IdInput<"formId">, undefined>;
}

export const formOperations: FormOperations = {
  create: createOperation(forms),
  retrieve: retrieveOperation(forms),
  list: listOperation(forms),
  update: updateOperation(forms),
  patch: patchOperation(forms),
  remove: removeOperation(forms),
};

export const formRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/form/:formId",
  "global",
  formOperations,
);
