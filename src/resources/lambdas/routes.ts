import { defineRecordRoutes, defineRoutes, type Route } from "../../http/route/define-route.js";
import { lazySchema } from "../../http/schema/parse-with.js";
import type { LambdaTestResult } from "../../lambdas/kit/test-run.js";
import type { RunRequest } from "../../lambdas/run/run-stored.js";
import type { LambdaTypeName } from "../../lambdas/types/lambda-types.js";
import {
  type AnyOperation,
  defineOperation,
  lazyOperation,
  type Operation,
  type OperationSignature,
  type OperationsOf,
} from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { searchOperation } from "../../operations/verbs/search.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { lazily } from "../../shared/async/lazily.js";
import { lambdas, listFilter } from "./rules.js";
import type { Lambda, LambdaFields, LambdaRequest, LambdaTestRequest, UnsavedLambdaTestRequest } from "./schema.js";

/** The criteria of a lambda search (docs/reference/lambdas.md#fields). */
export interface LambdaCriteria {
  /** A text filter on the body. */
  readonly body?: string;
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
  /** Only lambdas of this type. */
  readonly type?: LambdaTypeName;
}

/** A new lambda must say of which type it is. */
export interface CreateLambdaInput extends LambdaRequest, Partial<IdInput<"lambdaId">> {
  /** The fields of the lambda; `name`, `body` and `type` are required. */
  readonly lambda: LambdaRequest["lambda"] & Pick<LambdaFields, "type">;
}

/** A lambda that is tried out: a saved one by its id, or one that nobody has saved. */
export type TestLambdaInput = (LambdaTestRequest & IdInput<"lambdaId">) | UnsavedLambdaTestRequest;

/** What can be done with lambdas (docs/reference/lambdas.md#fields), and an extension: trying them out. */
export interface LambdaOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<CreateLambdaInput, { readonly lambda: Lambda }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"lambdaId">, { readonly lambda: Lambda }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<{ readonly type?: LambdaTypeName }, { readonly lambdas: readonly Lambda[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<LambdaRequest & IdInput<"lambdaId">, { readonly lambda: Lambda }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"lambdaId">, { readonly lambda: Lambda }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"lambdaId">, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<LambdaCriteria>, SearchOutput<"lambdas", Lambda>>;
  /** Runs a lambda and keeps nothing: its failure is an outcome, not a refusal. */
  readonly test: OperationSignature<TestLambdaInput, LambdaTestResult>;
}

const loadTest = lazily(() => import("../../lambdas/kit/test-lambda.js"));

export const lambdaOperations: OperationsOf<LambdaOperations> = {
  create: createOperation(lambdas),
  retrieve: retrieveOperation(lambdas),
  list: listOperation(lambdas, listFilter, ["type"]),
  update: updateOperation(lambdas),
  patch: patchOperation(lambdas),
  remove: removeOperation(lambdas),
  search: searchOperation(lambdas),
  // What runs lambdas is loaded with the first one.
  test: defineOperation("lambdas.test", ["lambdaId"], async (call) =>
    (await loadTest()).testLambda(call, {
      stored: lazySchema(() => import("./schema.js"), "lambdaTestRequest"),
      unsaved: lazySchema(() => import("./schema.js"), "unsavedLambdaTestRequest"),
    }),
  ),
};

/** Runs a stored lambda for the host, in process alone: there is no route to it. */
export const runLambdaOperation: Operation<RunRequest, Readonly<Record<string, unknown>>> = defineOperation(
  "lambdas.run",
  ["lambdaId"],
  lazyOperation(() => import("../../lambdas/run/run-stored.js"), "runStored"),
);

const { test, ...ofRecords } = lambdaOperations;

export const lambdaRoutes: readonly Route<AnyOperation>[] = [
  ...defineRecordRoutes<AnyOperation>("/api/lambda/:lambdaId", "global", ofRecords),
  ...defineRoutes<AnyOperation>([
    ["POST", "/api/lambda/test", "global", test],
    ["POST", "/api/lambda/:lambdaId/test", "global", test],
  ]),
];
