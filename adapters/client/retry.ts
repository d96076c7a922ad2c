import type { ClientRequest } from "./request.js";
import type { Failure } from "./result.js";

/** How long to wait between requests, and how often. */
export interface BackoffSettings {
  readonly attempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly newKeyMs: number;
  readonly random: () => number;
}

/** A request that failed. */
export interface FailedAttempt {
  readonly request: ClientRequest;
  readonly failure: Failure;
  /** For how long 401 may still mean that the key is too new, in milliseconds. */
  readonly newKeyLeftMs: number;
}

/** How long to wait before a failed request is sent again, in milliseconds; undefined when it is not. */
export function waitAfter({ failure, newKeyLeftMs, request }: FailedAttempt, settings: BackoffSettings): number | undefined {
  const { attempts, retryAfterMs = 0 } = failure;
  if (request.isOnce) return undefined;
  const wait = retryAfterMs + backoff(attempts, settings);
  if (failure.status === 401) return wait < newKeyLeftMs ? wait : undefined;
  return attempts < settings.attempts && isTransient(failure, request) ? wait : undefined;
}

// Half of it is fixed, so that it grows; half is chance, so that clients which failed together do not come back together.
function backoff(attempts: number, { baseMs, maxMs, random }: BackoffSettings): number {
  return Math.ceil(Math.min(maxMs, baseMs * 2 ** (attempts - 1)) * (0.5 + random() / 2));
}

/** What may go well the next time, and does no harm then. What is behind 502 and 503 may have happened all the same. */
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

/** How Node says that there was no connection. Browsers do not say it. */
const withoutConnection: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

function wasNeverSent(thrown: unknown): boolean {
  const { cause } = (thrown ?? {}) as { readonly cause?: { readonly code?: unknown } };
  return withoutConnection.has(cause?.code);
}
