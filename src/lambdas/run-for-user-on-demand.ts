import type { TokenSubject } from "../accounts/tokens/token-subject.js";
import type { OperationCall } from "../operations/operation.js";
import { lazily } from "../shared/async.js";
import type { LambdaArguments } from "./run/read-changes.js";
import type { LambdaCall } from "./run/run-lambda.js";
import type { UserLambdaCall } from "./run-for-user.js";

const load = lazily(() => import("./run-for-user.js"));

/** As `runForUser`, of which nothing is loaded before the first lambda. */
export async function runForUser(
  call: OperationCall,
  subject: TokenSubject,
  lambdaCall: UserLambdaCall,
): Promise<LambdaArguments> {
  return (await load()).runForUser(call, subject, lambdaCall);
}

/** Notes that what a lambda left behind was of no use: it was too large where it was to go. */
export async function recordUnusedOutput(
  call: OperationCall,
  lambdaCall: Omit<LambdaCall, "arguments">,
  message: string,
): Promise<void> {
  await (await load()).recordLambdaFailure(call, { ...lambdaCall, arguments: {} }, { kind: "tooLarge", message });
}
