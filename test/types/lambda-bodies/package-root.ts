/** What of the package root the types of lambdas are made of: nothing that needs Node, so that bodies are checked without it. */
export type * from "../../../src/lambdas/types/lambda-arguments.js";
export type * from "../../../src/lambdas/types/lambda-shapes.js";
export type { LambdaType } from "../../../src/lambdas/types/lambda-types.js";
