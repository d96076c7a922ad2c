import { executeScript } from "../run/execute-script.js";
import { type LambdaType, lambdaTypes } from "../types/lambda-types.js";
import { sampleArguments } from "../types/sample-arguments.js";
import { tryOut } from "./trial.js";

/** What whoever tries lambdas out without a service needs of its rules. */
export interface LambdaKit {
  readonly executeScript: typeof executeScript;
  /** The name of the function that a kind of lambda consists of. */
  readonly functionNameOf: (type: LambdaType) => string;
  readonly sampleArguments: typeof sampleArguments;
  readonly tryOut: typeof tryOut;
}

/** The kit itself; see {@link LambdaKit}. */
export const lambdaKit: LambdaKit = Object.freeze({
  executeScript,
  functionNameOf: (type: LambdaType) => lambdaTypes[type].functionName,
  sampleArguments,
  tryOut,
});
