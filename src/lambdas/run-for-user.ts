import { presentUser } from "../accounts/login/present-user.js";
import type { TokenSubject } from "../accounts/tokens/token-subject.js";
import { parseRecord } from "../operations/family.js";
import type { OperationCall } from "../operations/operation.js";
import type { Registration } from "../resources/users/schema.js";
import { toLambdaContext } from "./run/lambda-context.js";
import type { LambdaArguments } from "./run/read-changes.js";
import { runLambda } from "./run/run-lambda.js";
import type { LambdaType } from "./types/lambda-types.js";

export { recordLambdaFailure } from "./run/run-lambda.js";

/** A lambda that is to run for a user. */
export interface UserLambdaCall {
  readonly lambdaId: string;
  readonly type: LambdaType;
  /** The arguments beside `user`, `registration` and `context`. */
  readonly arguments: LambdaArguments;
  /** What the context of the kind has beside what every context has. */
  readonly context: Readonly<Record<string, unknown>>;
}

/**
 * Runs a lambda for a user, whom it sees as the wire shows users, and answers its arguments with what it changed.
 * @throws IdentityError as `runLambda`.
 */
export async function runForUser(
  call: OperationCall,
  subject: TokenSubject,
  { lambdaId, type, ...lambdaCall }: UserLambdaCall,
): Promise<LambdaArguments> {
  const user: unknown = JSON.parse(await presentUser(call, subject.stored));
  const registration = subject.registration && parseRecord<Registration>(subject.registration);
  const context = toLambdaContext(call, subject, lambdaCall.context);
  const given = { ...lambdaCall.arguments, user, registration, context };
  return runLambda(call, { lambdaId, type, tenantId: subject.tenant.id, arguments: given });
}
