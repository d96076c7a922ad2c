import { fieldError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";

/**
 * Refuses the dry run of a call that proves something or hands out tokens: undone with it would be what counts failures and tells of logins,
 * and the tokens would be real all the same.
 * @throws IdentityError 400 `[invalid]dryRun`.
 */
export function assertReal(call: OperationCall): void {
  if (call.isDryRun) throw fieldError("invalid", "dryRun", "A login cannot be tried out.");
}
