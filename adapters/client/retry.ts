import type { ClientRequest } from "./request.js";
import type { Failure } from "./result.js";

/** The validated retry policy. */
export interface BackoffSettings {
  readonly attempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly newKeyMs: number;
  readonly random: () => number;
}

/** A failed request. */
export interface FailedAttempt {
  readonly request: ClientRequest;
  readonly failure: Failure;
  /** For how long a 401 may still mean that the key is too new, in milliseconds. */
  readonly newKeyLeftMs: number;
}

/** How long to wait before the retry, in milliseconds; undefined for no retry. */
export function waitAfter({ failure, newKeyLeftMs, request }: FailedAttempt, settings: BackoffSettings): number | undefined {
  const { attempts, retryAfterMs = 0 } = failure;
  if (request.isOnce) return undefined;
  const wait = retryAfterMs + backoff(attempts, settings);
  if (failure.status === 401) return wait < newKeyLeftMs ? wait : undefined;
  return attempts < settings.attempts && isTransient(failure, request) ? wait : undefined;
}

// Half of the wait is fixed, so that it grows; half is jitter, so that clients that failed together do not retry together.
function backoff(attempts: number, { baseMs, maxMs, random }: BackoffSettings): number {
  return Math.ceil(Math.min(maxMs, baseMs * 2 ** (attempts - 1)) * (0.5 + random() / 2));
}

/** Statuses for which a retry may succeed without harm. After a 502 or 503, the request may have been executed all the same. */
const transientStatuses: Readonly<Record<number, (failure: Failure, request: ClientRequest) => boolean>> = {
  409: ({ code }) => code === "[retryableConflict]",
  429: () => true,
  502: (_failure, { isRepeatable }) => isRepeatable,
  503: (_failure, { isRepeatable }) => isRepeatable,
};

function isTransient(failure: Failure, request: ClientRequest): boolean {
  if (failure.kind === "network") return request.isRepeatable || wasNeverSent(failure.cause);
  return failure.kind === "refused" && transientStatuses[failure.status]?.(failure, request) === true;
}

/** Error codes of Node for a connection that was never made. Browsers do not report this. */
const withoutConnection: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

function wasNeverSent(thrown: unknown): boolean {
  const { cause } = (thrown ?? {}) as { readonly cause?: { readonly code?: unknown } };
  return withoutConnection.has(cause?.code);
}
