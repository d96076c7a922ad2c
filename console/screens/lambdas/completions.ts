import { type LambdaType, lambdaTypes, moduleType } from "../../../src/availability/lambda-types.js";
import type { CompletionTable } from "../../kit/code-field/member-completion.js";
import members from "./members.json";

type Members = Pick<CompletionTable, "globals" | "types"> & {
  readonly parameters: Readonly<Record<string, CompletionTable["parameters"]>>;
};

const known: Members = members;

/** The selectable types: those that the service calls, and modules. */
export const typeOptions: readonly { readonly value: string; readonly label: string }[] = [
  ...Object.keys(lambdaTypes),
  moduleType,
].map((type) => ({ value: type, label: type }));

/** Returns the completion table for a body of a type. */
export function completionsOf(type: string): CompletionTable {
  const { globals, parameters, types } = known;
  return {
    functionName: isKind(type) ? lambdaTypes[type].functionName : "populate",
    parameters: parameters[type] ?? [],
    globals,
    types,
  };
}

/** Whether a name is a lambda type that the service calls; false for modules. */
export function isKind(type: string): type is LambdaType {
  return Object.hasOwn(lambdaTypes, type);
}

/** Returns an initial body: the empty function of its type, or an example export for a module. */
export function emptyBody(type: string): string {
  if (type === moduleType) return "exports.example = (text) => text;\n";
  if (!isKind(type)) return "";
  const { functionName, parameters } = lambdaTypes[type];
  return `/** @type {import("latchkey/lambdas").${type}} */\nfunction ${functionName}(${parameters.join(", ")}) {\n}\n`;
}
