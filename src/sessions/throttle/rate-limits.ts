import type { RateLimitName } from "../../availability/availability.js";
import { generalError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import { UniqueViolation } from "../../ports/storage.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { Tenant } from "../../records/tenants/schema.js";
import type { Counter, ThrottleLimits } from "../../security/throttle-limits.js";
import { isPublicCaller } from "../subjects/trusted-caller.js";
import { addOne, counterOf, readAttemptCounts, saveAttemptCounts, withoutAttempt } from "./attempt-counts.js";
import { type LimitSubject, limitSubjectOf } from "./limit-subject.js";
import { sourceOfAttempt } from "./source-of-attempt.js";
import { inTransaction } from "./throttle.js";

/** A call that the tenant can limit, and its subject. */
export interface CallToLimit {
  readonly name: RateLimitName;
  readonly subject: LimitSubject;
}

// For callers without a key and visitors of the pages, in every tenant: protects mailboxes and phones from floods.
const publicLimits = { perSubject: 5, perSource: 50, seconds: 900 };

/**
 * Counts a call that sends a message, for known and unknown subjects alike. Call it outside of `call.write`: a rollback would
 * undo the count.
 * @throws IdentityError 429 with `retry-after` beyond the limit of the tenant, or of callers without a key.
 */
export async function limitRate(call: OperationCall, tenant: Tenant, limited: CallToLimit): Promise<void> {
  await limitInTenant(call, tenant, limited);
  const { name } = limited;
  await limitPublic(call, { ...publicLimits, name, subject: [...partsOf(tenant, limited), "public"], kind: "tooManyMessages" });
}

// Higher, because users correct mistakes with the same login id.
const registrationLimits = { perSubject: 20, perSource: 50, seconds: 900 };

/** Counts a registration by a caller without a key or a visitor. Call it as {@link limitRate}. @throws IdentityError 429. */
export async function limitRegistrations(call: OperationCall, applicationId: string, who: LimitSubject): Promise<void> {
  const subject = ["register", applicationId, limitSubjectOf(who)];
  await limitPublic(call, { ...registrationLimits, name: "register", subject, kind: "tooManyAttempts" });
}

// High, because many users may share an address; finished starts do not count.
const startLimits = { limit: 1_000, seconds: 900 };

/**
 * Counts a start that a caller without a key must prove later: a login, a verification, a pushed request, a device code. Call it
 * as {@link limitRate}. @throws IdentityError 429.
 */
export async function limitStarts(call: OperationCall): Promise<void> {
  if (!isPublicCaller(call) || call.service.throttle.limits.login === undefined) return;
  await lenient(count(call, [startCounter(call)], { kind: "tooManyAttempts", seconds: startLimits.seconds }));
}

/** Removes a finished start from the count. */
export async function resetStart(call: OperationCall): Promise<void> {
  if (call.service.throttle.limits.login === undefined) return;
  const limits = { windowSeconds: startLimits.seconds, lockSeconds: startLimits.seconds } as ThrottleLimits;
  const reset = inTransaction(call, async (tx) => {
    const counts = await readAttemptCounts(tx, [startCounter(call)], limits, call.service.runtime.clock());
    await saveAttemptCounts(tx, counts.map(withoutAttempt), limits);
  });
  await lenient(reset);
}

// Browsers of one source may start at the same moment: losing a count is better than failing a call.
async function lenient(counting: Promise<void>): Promise<void> {
  await counting.catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) throw error;
  });
}

function startCounter(call: OperationCall): Counter {
  return { of: "source", id: counterOf(["start", "source", sourceOfAttempt(call)]), limit: startLimits.limit };
}

interface PublicLimit {
  readonly name: string;
  readonly subject: readonly string[];
  readonly perSubject: number;
  readonly perSource: number;
  readonly seconds: number;
  readonly kind: "tooManyAttempts" | "tooManyMessages";
}

async function limitPublic(
  call: OperationCall,
  { kind, name, perSource, perSubject, seconds, subject }: PublicLimit,
): Promise<void> {
  if (!isPublicCaller(call) || call.service.throttle.limits.login === undefined) return;
  const counters: readonly Counter[] = [
    { of: "subject", id: counterOf(subject), limit: perSubject },
    { of: "source", id: counterOf([name, "source", sourceOfAttempt(call)]), limit: perSource },
  ];
  await count(call, counters, { kind, seconds });
}

/**
 * As {@link limitRate}, by the tenant's limit alone. A failed login is counted before the attempt, until {@link resetRate}:
 * parallel attempts are as limited as sequential ones.
 */
export async function limitInTenant(call: OperationCall, tenant: Tenant, limited: CallToLimit): Promise<void> {
  const { enabled, limit, timePeriodInSeconds: seconds } = accountSettingsOf(tenant).rateLimitConfiguration[limited.name];
  const kind = limited.name === "failedLogin" ? "tooManyAttempts" : "tooManyMessages";
  if (enabled) await count(call, [{ of: "subject", id: counterOf(partsOf(tenant, limited)), limit }], { kind, seconds });
}

/** Resets the tenant's count. */
export async function resetRate(call: OperationCall, tenant: Tenant, limited: CallToLimit): Promise<void> {
  const { enabled, limit, timePeriodInSeconds: windowSeconds } = accountSettingsOf(tenant).rateLimitConfiguration[limited.name];
  if (!enabled) return;
  const counter: Counter = { of: "subject", id: counterOf(partsOf(tenant, limited)), limit };
  const none = { counter, count: 0, startInstant: call.service.runtime.clock(), refusedUntil: 0, knownUntil: 0 };
  await inTransaction(call, (tx) => saveAttemptCounts(tx, [none], { windowSeconds } as ThrottleLimits));
}

function partsOf({ id }: Tenant, { name, subject }: CallToLimit): readonly string[] {
  return [name, id, limitSubjectOf(subject)];
}

async function count(
  call: OperationCall,
  counters: readonly Counter[],
  { kind, seconds }: { readonly kind: "tooManyAttempts" | "tooManyMessages"; readonly seconds: number },
): Promise<void> {
  const limits = { windowSeconds: seconds, lockSeconds: seconds } as ThrottleLimits;
  const refusedUntil = await inTransaction(call, async (tx) => {
    const now = call.service.runtime.clock();
    const counts = await readAttemptCounts(tx, counters, limits, now);
    const refusing = counts.find((one) => one.count >= one.counter.limit);
    if (refusing !== undefined) return refusing.startInstant + seconds * 1_000;
    await saveAttemptCounts(
      tx,
      counts.map((one) => ({ ...addOne(one, limits, now), refusedUntil: 0 })),
      limits,
    );
    return undefined;
  });
  if (refusedUntil === undefined) return;
  const retryAfter = Math.ceil((refusedUntil - call.service.runtime.clock()) / 1_000);
  throw generalError(kind, undefined, { headers: { "retry-after": String(Math.max(1, retryAfter)) } });
}
