import type { ConfiguredOperations, DataOperations } from "../../src/families/index.js";
import type { OperationSignature } from "../../src/operations/operation.js";

type ShapesOf<Target> =
  Target extends OperationSignature<infer Input, infer Output> ? { readonly input: Input; readonly output: Output } : never;

type ShapesIn<Operations> = {
  readonly [Family in keyof Operations]: {
    readonly [Verb in keyof Operations[Family]]: ShapesOf<Operations[Family][Verb]>;
  };
};

/** What every operation takes and answers, by family and verb: where the schemas of the OpenAPI document come from. */
export type Shapes = ShapesIn<ConfiguredOperations> & ShapesIn<DataOperations>;
