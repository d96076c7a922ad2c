import { hash } from "node:crypto";
import { toLambdaType } from "../../availability/lambda-types.js";
import { fieldError } from "../../errors/identity-error.js";
import { type LazySchema, parseWith } from "../../http/schema/parse-with.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { parseRequest } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import type { LambdaTestRequest, ParsedLambdaTestRequest } from "../../records/lambdas/schema.js";
import { loadLambda } from "../run/find-lambda.js";
import { runBody } from "../run/run-body.js";
import { loadRunnable, type RunnableLambda } from "../run/runnable-lambda.js";
import { tryOut } from "./test-run.js";

const unsavedId = "unsaved";

/** The schemas of both requests. */
export interface TestSchemas {
  readonly stored: LazySchema<LambdaTestRequest>;
  readonly unsaved: LazySchema<ParsedLambdaTestRequest>;
}

/**
 * Tests the stored lambda of the call or, without an id, the unsaved one in its body. Missing arguments are sampled. Stores and
 * records nothing; a failure is an outcome.
 */
export async function testLambda(call: OperationCall, schemas: TestSchemas): Promise<OperationResult> {
  const { lambdaId } = call.params;
  if (lambdaId === undefined || lambdaId === "") return testUnsaved(call, schemas.unsaved);
  const { tenantId } = await parseWith(schemas.stored, call.body);
  return testBody(call, await loadRunnable(call, await loadLambda(call)), tenantId);
}

async function testUnsaved(call: OperationCall, request: TestSchemas["unsaved"]): Promise<OperationResult> {
  const { lambda, tenantId } = await parseRequest(call, { wrapper: "lambda", request }, call.body);
  const { body, debug, modules, name } = lambda;
  if (Buffer.byteLength(body) > call.service.lambdas.limits.bodyBytes) throw fieldError("tooLong", "lambda.body");
  const type = toLambdaType(lambda.type);
  const unsaved = { id: unsavedId, name, type, body, debug, modules, version: hash("sha256", `${type} ${body}`) };
  return testBody(call, await loadRunnable(call, unsaved), tenantId);
}

async function testBody(call: OperationCall, lambda: RunnableLambda, tenantId: string | undefined): Promise<OperationResult> {
  // Unparsed, since null is a value for a lambda.
  const { arguments: given } = (call.body ?? {}) as LambdaTestRequest;
  const { monotonic } = call.service.runtime;
  const trial = await tryOut(lambda, given ?? {}, {
    monotonic,
    run: (complete) => runBody(call, { lambda, tenantId, arguments: complete, isTrial: true }),
  });
  return { status: 200, json: JSON.stringify(trial) };
}
