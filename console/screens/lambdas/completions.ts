import { type LambdaType, lambdaTypes } from "../../../src/lambdas/types/lambda-types.js";
import type { CompletionTable } from "../../kit/code-field/member-completion.js";
import members from "./members.json";

type Members = Pick<CompletionTable, "globals" | "types"> & {
  readonly parameters: Readonly<Record<string, CompletionTable["parameters"]>>;
};

const known: Members = members;

/** What a body of a kind sees, for completion. */
export function completionsOf(type: string): CompletionTable {
  const { globals, parameters, types } = known;
  return {
    functionName: isKind(type) ? lambdaTypes[type].functionName : "populate",
    parameters: parameters[type] ?? [],
    globals,
    types,
  };
}

/** Whether a name is that of a kind of lambda. */
export function isKind(type: string): type is LambdaType {
  return Object.hasOwn(lambdaTypes, type);
}

/** A body to begin with: the function of its kind, with nothing in it. */
export function emptyBody(type: string): string {
  if (!isKind(type)) return "";
  const { functionName, parameters } = lambdaTypes[type];
  return `/** @type {import("latchkey/lambda-types").${type}} */\nfunction ${functionName}(${parameters.join(", ")}) {\n}\n`;
}
