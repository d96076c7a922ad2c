import { type LambdaTypeName, lambdaTypes, toLambdaType } from "../../src/availability/lambda-types.js";
import { type Answer, expectOk } from "./answer.js";
import type { World } from "./world.js";

/** A valid body for a lambda of this type. */
export function bodyOf(type: LambdaTypeName): string {
  const { functionName, parameters } = lambdaTypes[toLambdaType(type)];
  return `function ${functionName}(${parameters.join(", ")}) {}`;
}

/** Posts a lambda of a type, with these fields. */
export function postLambda(world: World, type: LambdaTypeName, fields: object = {}): Promise<Answer> {
  return world.caller.post("/api/lambda", { lambda: { name: "Lambda", body: bodyOf(type), type, ...fields } });
}

/** Makes a lambda; returns its id. */
export async function makeLambda(world: World, type: LambdaTypeName = "JWTPopulate", fields: object = {}): Promise<string> {
  return expectOk(await postLambda(world, type, fields)).textAt("lambda.id");
}

/** The message of a field's only error. */
export function messageAt(answer: Answer, path: string): string {
  const { fieldErrors } = answer.body as {
    readonly fieldErrors: Readonly<Record<string, readonly { readonly message: string }[]>>;
  };
  return fieldErrors[path]?.[0]?.message ?? "";
}
