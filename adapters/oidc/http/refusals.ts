import { IdentityError } from "latchkey";
import type { ApiResponse } from "latchkey/ports";

/** Returns a refusal as OAuth puts it (RFC 6749, 5.2). */
export function writeOAuthError(status: number, error: string, description: string): ApiResponse {
  const challenge = status === 401 && { "www-authenticate": "Basic" };
  return {
    status,
    headers: { "cache-control": "no-store", "content-type": "application/json; charset=UTF-8", ...challenge },
    body: JSON.stringify({ error, error_description: description }),
  };
}

/** A refusal for a moment: too much came from one place. */
export interface Delay {
  /** Of the header `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the delay that an error of the service asks for; undefined for another error. */
export function readDelay(error: unknown): Delay | undefined {
  if (!(error instanceof IdentityError) || (error.status !== 423 && error.status !== 429)) return undefined;
  const after = error.headers["retry-after"];
  return { headers: typeof after === "string" ? { "retry-after": after } : {} };
}
