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

/** A call that the tenant can limit, and whom it concerns. */
export interface CallToLimit {
  readonly name: RateLimitName;
  readonly subject: LimitSubject;
}

// What holds for a caller without a key, and for a visitor of the pages, in every tenant: nobody may flood a mailbox or a phone, nor many of them.
const publicLimits = { perSubject: 5, perSource: 50, seconds: 900 };

/**
 * Counts a call that sends a message. Known and unknown subjects count alike. Call it outside of `call.write`: what is undone there would not
 * count.
 * @throws IdentityError 429 with `retry-after` beyond the limit of the tenant, or of callers without a key.
 */
export async function limitRate(call: OperationCall, tenant: Tenant, limited: CallToLimit): Promise<void> {
  await limitInTenant(call, tenant, limited);
  const { name } = limited;
  await limitPublic(call, { ...publicLimits, name, subject: [...partsOf(tenant, limited), "public"], kind: "tooManyMessages" });
}

// Who registers corrects mistakes of the same login id.
const registrationLimits = { perSubject: 20, perSource: 50, seconds: 900 };

/** Counts a registration that a caller without a key, or a visitor, asks for. Call it as {@link limitRate}. @throws IdentityError 429. */
export async function limitRegistrations(call: OperationCall, applicationId: string, who: LimitSubject): Promise<void> {
  const subject = ["register", applicationId, limitSubjectOf(who)];
  await limitPublic(call, { ...registrationLimits, name: "register", subject, kind: "tooManyAttempts" });
}

// Many people may share an address: who finishes is not counted.
const startLimits = { limit: 1_000, seconds: 900 };

/**
 * Counts what somebody without a key begins and has to prove later: a login, a verification, a pushed request, the code of a device. Call it as
 * {@link limitRate}. @throws IdentityError 429.
 */
export async function limitStarts(call: OperationCall): Promise<void> {
  if (!isPublicCaller(call) || call.service.throttle.limits.login === undefined) return;
  await lenient(count(call, [startCounter(call)], { kind: "tooManyAttempts", seconds: startLimits.seconds }));
}

/** Takes one back that its user finished. */
export async function resetStart(call: OperationCall): Promise<void> {
  if (call.service.throttle.limits.login === undefined) return;
  const limits = { windowSeconds: startLimits.seconds, lockSeconds: startLimits.seconds } as ThrottleLimits;
  const reset = inTransaction(call, async (tx) => {
    const counts = await readAttemptCounts(tx, [startCounter(call)], limits, call.service.runtime.clock());
    await saveAttemptCounts(tx, counts.map(withoutAttempt), limits);
  });
  await lenient(reset);
}

// Many browsers of one source begin in the same moment: one that is not counted is better than one that fails.
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
 * As {@link limitRate}, by the limit of the tenant alone. A failed login counts from before it is tried until {@link resetRate}, so that
 * those made side by side are as few as those made one after the other.
 */
export async function limitInTenant(call: OperationCall, tenant: Tenant, limited: CallToLimit): Promise<void> {
  const { enabled, limit, timePeriodInSeconds: seconds } = accountSettingsOf(tenant).rateLimitConfiguration[limited.name];
  const kind = limited.name === "failedLogin" ? "tooManyAttempts" : "tooManyMessages";
  if (enabled) await count(call, [{ of: "subject", id: counterOf(partsOf(tenant, limited)), limit }], { kind, seconds });
}

/** Forgets what the tenant's limit counted. */
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
