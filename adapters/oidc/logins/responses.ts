import { SignInError } from "latchkey";
import { isObject } from "../../internal/objects.js";
import type { LoginTools } from "./settings.js";

/** Library codes for a misbehaving provider, in contrast to an invalid response. */
const unavailableCodes: ReadonlySet<string> = new Set([
  ...[
    "OAUTH_ABORT",
    "OAUTH_HTTP_REQUEST_FORBIDDEN",
    "OAUTH_INVALID_SERVER_METADATA",
    "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
    "OAUTH_MISSING_SERVER_METADATA",
  ],
  ...["OAUTH_PARSE_ERROR", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON", "OAUTH_TIMEOUT"],
  ...["ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"],
]);

/** Token endpoint errors that concern the provider's settings, not the user. */
const settingErrors: ReadonlySet<string> = new Set([
  "invalid_client",
  "invalid_scope",
  "unauthorized_client",
  "unsupported_grant_type",
]);

interface LibraryError {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly status?: unknown;
}

/** Converts an error of a library, without the provider's text, which may contain secrets. */
export function toSignInError(error: unknown): SignInError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof SignInError) return cause;
  const { code, error: answered, status } = (error ?? {}) as LibraryError;
  const isServerError = typeof status === "number" && status >= 500;
  if (typeof answered === "string" && settingErrors.has(answered))
    return new SignInError("unavailable", `The identity provider answers ${answered}: look at its settings.`, { cause: error });
  if (isServerError || typeof code !== "string" || unavailableCodes.has(code))
    return new SignInError("unavailable", "The identity provider does not answer as it should.", { cause: error });
  return new SignInError("refused", `The answer of the identity provider is not valid: ${code}.`, { cause: error });
}

/** Runs work with a library and converts its errors. */
export async function withSignInErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toSignInError(error);
  }
}

/**
 * Returns the JSON object of a provider's response.
 * @throws SignInError `refused` for a status of 400 to 499, `unavailable` for any other failure.
 */
export async function readJson(
  { host }: LoginTools,
  url: URL,
  init: RequestInit = {},
): Promise<Readonly<Record<string, unknown>>> {
  const response = await host.fetch(url, { ...init, headers: { accept: "application/json", ...(init.headers as object) } });
  if (response.status >= 400 && response.status < 500)
    throw new SignInError("refused", `The identity provider answers ${response.status}.`);
  if (!response.ok) throw new SignInError("unavailable", `The identity provider answers ${response.status}.`);
  const body: unknown = await response.json().catch(() => undefined);
  if (!isObject(body)) throw new SignInError("unavailable", "The identity provider does not answer with a JSON object.");
  return body;
}
