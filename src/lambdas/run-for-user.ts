import { parseRecord } from "../operations/family.js";
import type { OperationCall } from "../operations/operation.js";
import type { Registration } from "../resources/users/schema.js";
import { presentUser } from "../sessions/present-user.js";
import type { TokenSubject } from "../sessions/token-subject.js";
import { toLambdaContext } from "./lambda-context.js";
import type { LambdaType } from "./lambda-types.js";
import type { LambdaArguments } from "./read-changes.js";
import { runLambda } from "./run-lambda.js";

export { noteFailure } from "./run-lambda.js";

/** A lambda that is to run for a user. */
export interface UserLambdaWish {
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
  { lambdaId, type, ...wish }: UserLambdaWish,
): Promise<LambdaArguments> {
  const user: unknown = JSON.parse(await presentUser(call, subject.stored));
  const registration = subject.registration && parseRecord<Registration>(subject.registration);
  const context = toLambdaContext(call, subject, wish.context);
  const given = { ...wish.arguments, user, registration, context };
  return runLambda(call, { lambdaId, type, tenantId: subject.tenant.id, arguments: given });
}
