import type { LambdaTypeName } from "../../lambdas/lambda-types.js";
import { createOperation } from "../../operations/create.js";
import { listOperation } from "../../operations/list.js";
import type { AnyOperation, Operation } from "../../operations/operation.js";
import { patchOperation } from "../../operations/patch.js";
import { removeOperation } from "../../operations/remove.js";
import { retrieveOperation } from "../../operations/retrieve.js";
import { searchOperation } from "../../operations/search.js";
import { updateOperation } from "../../operations/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { defineRecordRoutes, type Route } from "../../route/define-route.js";
import { lambdas, listFilter } from "./rules.js";
import type { Lambda, LambdaFields, LambdaRequest } from "./schema.js";

/** The criteria of a lambda search (reference 4.6). */
export interface LambdaCriteria {
  readonly body?: string;
  readonly name?: string;
  readonly type?: LambdaTypeName;
}

/** A new lambda must say of which type it is. */
export interface CreateLambdaInput extends LambdaRequest, Partial<IdInput<"lambdaId">> {
  readonly lambda: LambdaRequest["lambda"] & Pick<LambdaFields, "type">;
}

/** What can be done with lambdas (reference 4.6). */
export interface LambdaOperations {
  readonly create: Operation<CreateLambdaInput, { readonly lambda: Lambda }>;
  readonly retrieve: Operation<IdInput<"lambdaId">, { readonly lambda: Lambda }>;
  readonly list: Operation<{ readonly type?: LambdaTypeName }, { readonly lambdas: readonly Lambda[] }>;
  readonly update: Operation<LambdaRequest & IdInput<"lambdaId">, { readonly lambda: Lambda }>;
  readonly patch: Operation<PatchInput<"lambdaId">, { readonly lambda: Lambda }>;
  readonly remove: Operation<IdInput<"lambdaId">, undefined>;
  readonly search: Operation<SearchInput<LambdaCriteria>, SearchOutput<"lambdas", Lambda>>;
}

export const lambdaOperations: LambdaOperations = {
  create: createOperation(lambdas),
  retrieve: retrieveOperation(lambdas),
  list: listOperation(lambdas, listFilter, ["type"]),
  update: updateOperation(lambdas),
  patch: patchOperation(lambdas),
  remove: removeOperation(lambdas),
  search: searchOperation(lambdas),
};

export const lambdaRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/lambda/:lambdaId",
  "global",
  lambdaOperations,
);
