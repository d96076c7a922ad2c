import { generalError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import { requireId } from "../../operations/record-steps.js";
import { findLambda } from "./find-lambda.js";
import type { RunnableLambda } from "./run-body.js";

/** The lambda that the parameter `lambdaId` names. @throws IdentityError 404 when there is none, 400 when it is no id. */
export async function loadLambda(call: OperationCall): Promise<RunnableLambda> {
  const lambda = await findLambda(call, requireId(call, "lambdaId"));
  if (lambda === undefined) throw generalError("notFound");
  return lambda;
}
