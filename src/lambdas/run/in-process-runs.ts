import type { LambdaTypeName, StoredLambdaType } from "../../availability/lambda-types.js";
import type { Lambda } from "../../records/lambdas/schema.js";
import type { ChangedArguments, GivenArguments, LambdaTypeOf } from "../types/lambda-arguments.js";

/** What a run in process may say beside the arguments. */
export interface RunLambdaOptions {
  /** Whose data the lambda sees. Lambdas of different tenants share nothing. */
  readonly tenantId?: string | undefined;
}

/** Runs stored lambdas in process, at lambda places of the host's own. */
export interface LambdaRuns {
  /**
   * Runs a stored lambda as its place would (docs/reference/lambdas.md#types) and answers all arguments: what its kind may change as the lambda left
   * it, everything else as it was given. `context` and `result` are made when they are absent. With `{id, type}` arguments and answer have
   * the types of the kind; with a record or an id alone the answer has the types of what was given. A lambda that populates and fails
   * changes nothing; any other that fails throws. Global rights are needed. Inside of a transaction it is held while the lambda runs.
   * @throws IdentityError 404 for an unknown lambda; 400 naming each argument that is missing or unknown, `[invalid]lambda.type` when the
   * lambda is of another type, `[LambdaFailed]`.
   */
  run<Name extends LambdaTypeName, Given extends GivenArguments<LambdaTypeOf<Name>>>(
    lambda: { readonly id: string; readonly type: Name },
    given: Given,
    options?: RunLambdaOptions,
  ): Promise<ChangedArguments<LambdaTypeOf<Name>, Given>>;
  run<Given extends object>(
    lambda: string | Lambda | { readonly id: string; readonly type?: undefined },
    given: Given,
    options?: RunLambdaOptions,
  ): Promise<Given>;
}

/** A stored lambda, by its id or with what else is known of it. */
export type StoredLambda = string | { readonly id: string; readonly type?: StoredLambdaType | undefined };
