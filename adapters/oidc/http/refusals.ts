import { IdentityError } from "latchkey";
import type { ApiResponse } from "latchkey/ports";

/** Returns an OAuth error (RFC 6749, 5.2). */
export function writeOAuthError(status: number, error: string, description: string): ApiResponse {
  const challenge = status === 401 && { "www-authenticate": "Basic" };
  return {
    status,
    headers: { "cache-control": "no-store", "content-type": "application/json; charset=UTF-8", ...challenge },
    body: JSON.stringify({ error, error_description: description }),
  };
}

/** A temporary refusal: too many requests from one source. */
export interface Delay {
  /** With `retry-after`, if known. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the delay of an error of the service; undefined for other errors. */
export function readDelay(error: unknown): Delay | undefined {
  if (!(error instanceof IdentityError) || (error.status !== 423 && error.status !== 429)) return undefined;
  const after = error.headers["retry-after"];
  return { headers: typeof after === "string" ? { "retry-after": after } : {} };
}
