import type { OperationCall } from "../../operations/operation.js";
import { startFailedLoginAction } from "../../people/user-action-logs/failed-login-actions.js";
import type { StoredRecord } from "../../ports/storage.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { Tenant } from "../../records/tenants/schema.js";
import type { Counter, ThrottleLimits } from "../../security/throttle-limits.js";
import { addOne, counterOf, readAttemptCounts, saveAttemptCounts } from "../../sessions/throttle/attempt-counts.js";
import { inTransaction } from "../../sessions/throttle/throttle.js";

/** A login attempt. The subject is the id of the user, or an unknown login id. */
export interface LoginAttempt {
  readonly tenant: Tenant;
  readonly subject: string;
  readonly user?: StoredRecord | undefined;
}

/**
 * Counts a failed login, and starts the tenant's action on the user after too many within the tenant's time window. Of several
 * concurrent failures, in any process, one starts it. Unknown login ids are counted alike. Call it outside of `call.write`.
 */
export async function countFailedLogin(call: OperationCall, attempt: LoginAttempt): Promise<void> {
  const settings = accountSettingsOf(attempt.tenant).failedAuthenticationConfiguration;
  const limits = { windowSeconds: settings.resetCountInSeconds } as ThrottleLimits;
  const isTooMany = await inTransaction(call, async (tx) => {
    const now = call.service.runtime.clock();
    const [before] = await readAttemptCounts(tx, [toCounter(attempt)], limits, now);
    if (before === undefined) return false;
    const isLast = before.count + 1 >= settings.tooManyAttempts;
    const after = isLast ? { ...before, count: 0 } : { ...addOne(before, limits, now), refusedUntil: 0 };
    await saveAttemptCounts(tx, [after], limits);
    return isLast;
  });
  const { user } = attempt;
  if (!isTooMany || user === undefined) return;
  await call.write((write) => startFailedLoginAction(write, settings, user));
}

/** Resets the failure count after a successful login. */
export async function resetFailedLogins(call: OperationCall, attempt: LoginAttempt): Promise<void> {
  const none = { counter: toCounter(attempt), count: 0, startInstant: 0, refusedUntil: 0, knownUntil: 0 };
  await inTransaction(call, (tx) => saveAttemptCounts(tx, [none], { windowSeconds: 0 } as ThrottleLimits));
}

function toCounter({ subject, tenant }: LoginAttempt): Counter {
  return { of: "subject", id: counterOf(["failedAuthentication", tenant.id, subject]), limit: Number.POSITIVE_INFINITY };
}
