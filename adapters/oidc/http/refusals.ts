import type { ApiResponse } from "latchkey";

/** Returns a refusal as OAuth puts it (RFC 6749, 5.2). */
export function writeOAuthError(status: number, error: string, description: string): ApiResponse {
  const challenge = status === 401 && { "www-authenticate": "Basic" };
  return {
    status,
    headers: { "cache-control": "no-store", "content-type": "application/json; charset=UTF-8", ...challenge },
    body: JSON.stringify({ error, error_description: description }),
  };
}
