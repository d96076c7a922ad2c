import { createOperation } from "../../operations/create.js";
import { listOperation } from "../../operations/list.js";
import type { AnyOperation, Operation } from "../../operations/operation.js";
import { patchOperation } from "../../operations/patch.js";
import { removeOperation } from "../../operations/remove.js";
import { retrieveOperation } from "../../operations/retrieve.js";
import { updateOperation } from "../../operations/update.js";
import type { IdInput, PatchInput } from "../../operations/wire-types.js";
import { defineRoutes, type Route } from "../../route/define-route.js";
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

const { create, retrieve, list, update, patch, remove } = formOperations;

export const formRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/form", "global", create],
  ["POST", "/api/form/:formId", "global", create],
  ["GET", "/api/form", "global", list],
  ["GET", "/api/form/:formId", "global", retrieve],
  ["PUT", "/api/form", "global", update],
  ["PUT", "/api/form/:formId", "global", update],
  ["PATCH", "/api/form", "global", patch],
  ["PATCH", "/api/form/:formId", "global", patch],
  ["DELETE", "/api/form", "global", remove],
  ["DELETE", "/api/form/:formId", "global", remove],
]);
