import { generalError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";

const recentMs = 900_000;

/**
 * Refuses a user whose login is not of the last 15 minutes: a stolen token must not add what lets its thief in later. Other callers
 * are not asked.
 * @throws IdentityError 400 `[recentLoginRequired]`.
 */
export function assertRecentLogin({ principal, service }: OperationCall): void {
  if (principal?.kind !== "user") return;
  const { auth_time: loginAt, iat } = principal.claims;
  const at = loginAt ?? iat;
  if (typeof at !== "number" || at * 1_000 + recentMs < service.runtime.clock()) throw generalError("recentLoginRequired");
}
