import { parseRecord } from "../../operations/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { lambdasTable } from "../../resources/lambdas/family.js";
import type { Lambda } from "../../resources/lambdas/schema.js";
import { toLambdaType } from "../types/lambda-types.js";
import type { RunnableLambda } from "./run-body.js";

/** The lambda with this id; undefined when it is gone. */
export async function findLambda(call: OperationCall, id: string): Promise<RunnableLambda | undefined> {
  const stored = await call.reader.retrieve(globalScope, lambdasTable, id);
  if (stored === undefined) return undefined;
  const { body, debug, name, type } = parseRecord<Lambda>(stored);
  return { id, name, type: toLambdaType(type), body, debug, version: String(stored.version) };
}
