import { type LambdaType, lambdaTypes, moduleType } from "../../../src/availability/lambda-types.js";
import type { CompletionTable } from "../../kit/code-field/member-completion.js";
import members from "./members.json";

type Members = Pick<CompletionTable, "globals" | "types"> & {
  readonly parameters: Readonly<Record<string, CompletionTable["parameters"]>>;
};

const known: Members = members;

/** The types to choose from: those with a place, and modules. */
export const typeOptions: readonly { readonly value: string; readonly label: string }[] = [
  ...Object.keys(lambdaTypes),
  moduleType,
].map((type) => ({ value: type, label: type }));

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

/** Whether a name is that of a kind of lambda that runs at a place. */
export function isKind(type: string): type is LambdaType {
  return Object.hasOwn(lambdaTypes, type);
}

/** A body to begin with: the function of its kind, with nothing in it. */
export function emptyBody(type: string): string {
  if (type === moduleType) return "exports.example = (text) => text;\n";
  if (!isKind(type)) return "";
  const { functionName, parameters } = lambdaTypes[type];
  return `/** @type {import("latchkey/lambdas").${type}} */\nfunction ${functionName}(${parameters.join(", ")}) {\n}\n`;
}
