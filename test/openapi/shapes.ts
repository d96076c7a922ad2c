import type { OperationSignature } from "../../src/operations/operation.js";
import type { FamilyOperations } from "../../src/resources/index.js";

type ShapesOf<Target> =
  Target extends OperationSignature<infer Input, infer Output> ? { readonly input: Input; readonly output: Output } : never;

/** What every operation takes and answers, by family and verb: where the schemas of the OpenAPI document come from. */
export type Shapes = {
  readonly [Family in keyof FamilyOperations]: {
    readonly [Verb in keyof FamilyOperations[Family]]: ShapesOf<FamilyOperations[Family][Verb]>;
  };
};
