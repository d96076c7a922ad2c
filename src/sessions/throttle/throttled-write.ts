import { isInsideHost, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { UniqueViolation } from "../../ports/storage.js";
import type { ThrottleLimits } from "../../security/throttle-limits.js";
import {
  type AttemptCount,
  addOne,
  countersOf,
  isTrusted,
  readAttemptCounts,
  resetAfterSuccess,
  saveAttemptCounts,
} from "./attempt-counts.js";
import { sourceOfAttempt } from "./source-of-attempt.js";
import { type AttemptSubject, inTransaction, retryConflicts } from "./throttle.js";

/** An attempt that needs only its transaction, such as the check of a code. */
export interface WriteAttempt<Found, Result> {
  /** Finds the subject. An error here is not counted. */
  readonly find: (write: WriteCall) => Promise<Found>;
  readonly subjectOf: (found: Found) => AttemptSubject;
  /** Runs the attempt; undefined if it failed. */
  readonly run: (write: WriteCall, found: Found) => Promise<Result | undefined>;
}

/** The result of an attempt. */
export interface AttemptOutcome<Found, Result> {
  readonly found: Found;
  /** Undefined for a failed attempt, which was counted. */
  readonly result: Result | undefined;
}

/**
 * Runs and counts an attempt in one transaction, so that its result is visible only once it is counted. Undefined, with nothing
 * done, for an attempt that must wait or is refused, and inside of the host's transaction: then use `throttled`. Not for dry
 * runs, which would undo the count: call `assertReal` first.
 */
export async function throttledWrite<Found, Result>(
  call: OperationCall,
  attempt: WriteAttempt<Found, Result>,
): Promise<AttemptOutcome<Found, Result> | undefined> {
  return isInsideHost(call) ? undefined : retryConflicts(() => attemptOnce(call, attempt));
}

/** The counters of an attempt that is admitted at once. */
interface Admission {
  readonly limits: ThrottleLimits;
  readonly counts: readonly AttemptCount[];
  /** Those that a failure increments. */
  readonly counting: ReadonlySet<AttemptCount>;
  readonly now: number;
}

async function attemptOnce<Found, Result>(
  call: OperationCall,
  { find, run, subjectOf }: WriteAttempt<Found, Result>,
): Promise<AttemptOutcome<Found, Result> | undefined> {
  const begun = new Set<Admission>();
  const attempted = call.write(async (write) => {
    begun.clear();
    const found = await find(write);
    const admission = await admit(write, subjectOf(found));
    if (admission === undefined) return undefined;
    if (admission === "uncounted") return { found, result: await run(write, found) };
    begun.add(admission);
    const result = await run(write, found);
    await save(write, admission, toCounts(admission, result === undefined));
    return { found, result };
  });
  return attempted.catch(async (error: unknown) => {
    // The rollback undid the count too.
    if (!(error instanceof UniqueViolation)) for (const admission of begun) await countFailure(call, admission);
    throw error;
  });
}

// Undefined if the attempt must wait or is refused.
async function admit(write: WriteCall, subject: AttemptSubject): Promise<Admission | "uncounted" | undefined> {
  const { limits: allLimits, turns } = write.service.throttle;
  const limits = allLimits[subject.kind];
  if (limits === undefined) return "uncounted";
  const now = write.service.runtime.clock();
  const counters = countersOf(subject, sourceOfAttempt(write), limits);
  const counts = await readAttemptCounts(write.reader, counters, limits, now);
  const isKnown = counts.some(({ knownUntil }) => knownUntil > now);
  const counting = counts.filter(({ counter }) => counter.of !== "subject" || !isKnown);
  const isFree = ({ count, counter, refusedUntil }: AttemptCount): boolean =>
    refusedUntil <= now && count < counter.limit && turns.running(counter.id) === 0;
  const isSlow = (counting[0]?.count ?? 0) >= limits.slowAfter;
  return isSlow || !counting.every(isFree) ? undefined : { limits, counts, counting: new Set(counting), now };
}

/** The counts to store after an attempt; empty if unchanged. */
function toCounts({ counting, counts, limits, now }: Admission, hasFailed: boolean): readonly AttemptCount[] {
  const addAttempt = (count: AttemptCount): AttemptCount => (counting.has(count) ? addOne(count, limits, now) : count);
  if (hasFailed) return counts.filter((count) => counting.has(count)).map(addAttempt);
  const [pair] = counts;
  return pair !== undefined && isTrusted(pair, now) && pair.count === 0
    ? []
    : counts.map((count) => resetAfterSuccess(addAttempt(count), now));
}

async function save({ service, tx }: WriteCall, { limits }: Admission, counts: readonly AttemptCount[]): Promise<void> {
  if (counts.length === 0) return;
  tx.afterCommit(() => service.throttle.known.invalidate());
  await saveAttemptCounts(tx, counts, limits);
}

function countFailure(call: OperationCall, { counting, limits }: Admission): Promise<void> {
  const counters = [...counting].map(({ counter }) => counter);
  return inTransaction(call, async (tx) => {
    const now = call.service.runtime.clock();
    const counts = await readAttemptCounts(tx, counters, limits, now);
    const added = counts.map((count) => addOne(count, limits, now));
    await saveAttemptCounts(tx, added, limits);
  });
}
