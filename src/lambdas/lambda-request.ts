import type { OperationCall } from "../operations/operation.js";
import type { ServiceContext } from "../operations/service-context.js";
import type { LambdaFailure } from "../ports/lambda-runner.js";

/** The header that marks the calls that lambdas make; it holds the id of the lambda. */
export function lambdaHeader({ names }: Pick<ServiceContext, "names">): string {
  return `x-${names.service.toLowerCase()}-lambda`;
}

/** Whether a lambda made the request that a call came with: it may run no other, and so not itself (docs/reference/lambdas.md#runtime). */
export function isLambdaRequest({ request, service }: OperationCall): boolean {
  return request?.headers[lambdaHeader(service)] !== undefined;
}

/** Why no lambda is run for a request that a lambda made. */
export const nestedLambdaFailure: LambdaFailure = Object.freeze({
  kind: "refused",
  message: "A lambda that calls back the API that invoked it is refused.",
  console: Object.freeze([]),
});
