import { type LambdaArguments, moduleType, type StoredLambdaType, toRunnableType } from "../../availability/lambda-types.js";
import { fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import type { OperationCall } from "../../operations/operation.js";
import { parseUuid } from "../../shared/text.js";
import { completeArguments } from "./complete-arguments.js";
import { loadLambda } from "./find-lambda.js";
import { runLambda } from "./run-lambda.js";

/** A run that the host requests. */
export interface RunRequest {
  readonly lambdaId: string;
  /** The type that the host expects, by either of its names. */
  readonly type?: StoredLambdaType | undefined;
  readonly arguments: LambdaArguments;
  readonly tenantId?: string | undefined;
}

/**
 * Runs a stored lambda as its place would, and returns its arguments afterwards.
 * @throws IdentityError 404 for an unknown one, 400 for another type and for arguments that are not its own, `[LambdaFailed]` as
 * at its place.
 */
export async function runStored(call: OperationCall): Promise<OperationResult> {
  const { type, arguments: given, tenantId } = (call.body ?? {}) as Partial<RunRequest>;
  const { id, type: own } = await loadLambda(call);
  if (own === moduleType) throw fieldError("invalid", "lambda.type", "A module runs where a lambda requires it.");
  if (type !== undefined && toRunnableType(type) !== own)
    throw fieldError("invalid", "lambda.type", `The lambda ${id} is of the type ${own}.`);
  const lambdaCall = { lambdaId: id, type: own, tenantId: toTenantId(tenantId), arguments: completeArguments(own, given ?? {}) };
  return { status: 200, json: JSON.stringify(await runLambda(call, lambdaCall)) };
}

function toTenantId(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const tenantId = parseUuid(text);
  if (tenantId === undefined) throw fieldError("couldNotConvert", "tenantId");
  return tenantId;
}
