import { fieldError, generalError } from "../../errors/identity-error.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { HiddenUser } from "../../people/users/rules.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { User } from "../../records/users/schema.js";
import { checkPrevented } from "../../sessions/validity/check-prevented.js";

/** @throws IdentityError 410 past the user's expiry; 409 while an action prevents the login. */
export async function assertUsableLogin(
  call: OperationCall,
  { applicationId, user }: { readonly applicationId: string | undefined; readonly user: StoredRecord },
): Promise<void> {
  const { expiry } = parseRecord<User>(user);
  const now = call.service.runtime.clock();
  if (expiry !== undefined && expiry <= now) throw generalError("expired");
  const { loginPreventedUntil = 0 } = parseHidden<HiddenUser>(user) ?? {};
  if (loginPreventedUntil > now) await checkPrevented(call, user.id, applicationId);
}

/**
 * Refuses dry runs of calls that check a proof or issue tokens: the rollback would also undo failure counters and login events,
 * yet the tokens would be real.
 * @throws IdentityError 400 `[invalid]dryRun`.
 */
export function assertReal(call: OperationCall): void {
  if (call.isDryRun) throw fieldError("invalid", "dryRun", "A login cannot be tried out.");
}
