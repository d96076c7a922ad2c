import { fieldError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";

/**
 * Refuses the dry run of a call that proves something or issues tokens: its rollback would also undo the failure counters and the login events,
 * and the tokens would be real all the same.
 * @throws IdentityError 400 `[invalid]dryRun`.
 */
export function assertReal(call: OperationCall): void {
  if (call.isDryRun) throw fieldError("invalid", "dryRun", "A login cannot be tried out.");
}
