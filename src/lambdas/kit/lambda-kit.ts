import { executeScript } from "../run/execute-script.js";
import { type LambdaType, lambdaTypes } from "../types/lambda-types.js";
import { sampleArguments } from "../types/sample-arguments.js";
import { tryOut } from "./test-run.js";

/** Rules of a service that are needed to try lambdas out without one. */
export interface LambdaKit {
  /** Runs a body by the rules of its type; never rejects. */
  readonly executeScript: typeof executeScript;
  /** The name of the function that a kind of lambda consists of. */
  readonly functionNameOf: (type: LambdaType) => string;
  /** Returns fresh sample arguments of a type. */
  readonly sampleArguments: typeof sampleArguments;
  /** Runs a body on given and sample arguments, and measures the time. */
  readonly tryOut: typeof tryOut;
}

/** The kit itself; see {@link LambdaKit}. */
export const lambdaKit: LambdaKit = Object.freeze({
  executeScript,
  functionNameOf: (type: LambdaType) => lambdaTypes[type].functionName,
  sampleArguments,
  tryOut,
});
