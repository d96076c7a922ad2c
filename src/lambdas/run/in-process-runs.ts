import type { LambdaTypeName, StoredLambdaType } from "../../availability/lambda-types.js";
import type { Lambda } from "../../records/lambdas/schema.js";
import type { ChangedArguments, GivenArguments, LambdaTypeOf } from "../types/lambda-arguments.js";

/** Options of a run in process. */
export interface RunLambdaOptions {
  /** The tenant whose data the lambda sees. Lambdas of different tenants share nothing. */
  readonly tenantId?: string | undefined;
}

/** Runs stored lambdas in process, at lambda places of the host's own. */
export interface LambdaRuns {
  /**
   * Runs a stored lambda as its place would (docs/reference/lambdas.md#types) and returns all arguments: with the changes that
   * its type may make, everything else unchanged. Absent `context` and `result` get defaults. With `{id, type}`, arguments and
   * result have the types of the lambda type; with a record or an id alone, the result has the types of the arguments. A populate
   * lambda that fails changes nothing; failures of all others throw. Requires global rights. Inside of a transaction, the
   * transaction stays open while the lambda runs.
   * @throws IdentityError 404 for an unknown lambda; 400 naming each argument that is missing or unknown, `[invalid]lambda.type`
   * when the lambda is of another type, `[LambdaFailed]`.
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

/** A stored lambda: its id, or a record with it. */
export type StoredLambda = string | { readonly id: string; readonly type?: StoredLambdaType | undefined };
