import { type LambdaArguments, type LambdaType, moduleType, toRunnableType } from "../../availability/lambda-types.js";
import { generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import { requireId } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { lambdasTable } from "../../records/lambdas/family.js";
import type { Lambda } from "../../records/lambdas/schema.js";
import { newestVersion, readVersion } from "../versions/read-version.js";
import { isInRollout } from "./rollout.js";

/** A stored lambda before its modules are read. */
export interface FoundLambda extends Pick<Lambda, "body" | "chain" | "debug" | "modules" | "name" | "permissions"> {
  readonly id: string;
  readonly type: LambdaType | typeof moduleType;
  /** Changes with every change of the lambda. */
  readonly version: string;
}

/** The lambda of a call, in the version for this run; undefined when it was removed. */
export async function findLambda(
  call: OperationCall,
  { lambdaId, arguments: given }: { readonly lambdaId: string; readonly arguments: LambdaArguments },
): Promise<FoundLambda | undefined> {
  const stored = await call.reader.retrieve(globalScope, lambdasTable, lambdaId);
  if (stored === undefined) return undefined;
  const lambda = parseRecord<Lambda>(stored);
  const { rollout } = lambda;
  const { random } = call.service.runtime;
  if (rollout === undefined || isInRollout(lambdaId, given, { percent: rollout.percent, random })) return toFound(stored, lambda);
  // The version exists: saving the rollout checked it.
  return toFound(stored, lambda, await readVersion(call, stored, rollout.version));
}

function toFound(stored: StoredRecord, lambda: Lambda, ofVersion = newestVersion(stored, lambda)): FoundLambda {
  const { chain, debug, id, name, permissions, type } = lambda;
  const { body, modules, version } = ofVersion;
  return {
    ...{ id, name, type: toRunnableType(type) ?? moduleType, body, debug, chain, modules, permissions },
    version: `${stored.version}.${version}`,
  };
}

/**
 * The newest version of the lambda with the id in the parameter `lambdaId`. @throws IdentityError 404 for none, 400 when it is no
 * id.
 */
export async function loadLambda(call: OperationCall): Promise<FoundLambda> {
  const stored = await call.reader.retrieve(globalScope, lambdasTable, requireId(call, "lambdaId"));
  if (stored === undefined) throw generalError("notFound");
  return toFound(stored, parseRecord<Lambda>(stored));
}
