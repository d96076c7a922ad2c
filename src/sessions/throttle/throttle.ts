import { generalError, type IdentityError } from "../../errors/identity-error.js";
import { isInsideHost, type OperationCall } from "../../operations/operation.js";
import { type Transaction, UniqueViolation } from "../../ports/storage.js";
import type { AttemptKind, Counter, ThrottleLimits, TrustedSource } from "../../security/throttle-limits.js";
import {
  type AttemptCount,
  addOne,
  countersOf,
  isTrusted,
  readAttemptCounts,
  resetAfterSuccess,
  saveAttemptCounts,
  withoutAttempt,
} from "./attempt-counts.js";
import { sourceOfAttempt } from "./source-of-attempt.js";

/** The subject of attempts: the kind of attempt, and the id of the user or client. */
export interface AttemptSubject {
  readonly kind: AttemptKind;
  readonly id: string;
}

const firstDelayMs = 250;
const maxTries = 5;

/**
 * Runs an attempt to prove something, such as a password. Failures count for the subject and the source of the call; after too
 * many, attempts are delayed, then refused before `attempt` runs. An attempt is counted before it runs and uncounted when it
 * succeeds, so that parallel attempts are as limited as sequential ones. An attempt that throws counts as failed; one for which
 * `hasFailed` returns undefined does not count. Call it outside of `call.write`: a rollback would undo the count.
 * @throws IdentityError 423 or 429 with `retry-after` while the subject or the source is refused.
 */
export async function throttled<T>(
  call: OperationCall,
  subject: AttemptSubject,
  attempt: () => Promise<T>,
  hasFailed: (result: T) => boolean | undefined,
): Promise<T> {
  const { kind, id } = subject;
  const { limits: allLimits, known } = call.service.throttle;
  const limits = allLimits[kind];
  if (limits === undefined) return attempt();
  const source = sourceOfAttempt(call);
  const name = JSON.stringify([kind, id, source]);
  const counters = known.get(name)?.counters ?? countersOf(subject, source, limits);
  const counting: Counting = { call, kind, limits, name, counters, place: counters[0]?.id ?? "" };
  const admission = await admit(counting);
  let isFailure: boolean | undefined = true;
  try {
    if (!isInsideHost(call)) await call.service.throttle.waiting.wait(admission.delayMs);
    const result = await attempt();
    isFailure = hasFailed(result);
    return result;
  } finally {
    await settle(counting, admission, isFailure);
  }
}

interface Counting {
  readonly call: OperationCall;
  readonly kind: AttemptKind;
  readonly limits: ThrottleLimits;
  /** Of subject and source together. */
  readonly name: string;
  /** Narrowest first. */
  readonly counters: readonly Counter[];
  /** The name of the narrowest counter. Decisions with the same name run one at a time. */
  readonly place: string;
}

/** An admitted attempt. */
interface Admission {
  readonly isCounted: boolean;
  /** The delay before the attempt runs. */
  readonly delayMs: number;
  /** The in-flight entries of the attempt. */
  readonly seats: readonly string[];
  /** The ids of the counters that counted it. */
  readonly countedBy: readonly string[];
}

// The in-flight entry of attempts that are not counted yet.
function uncountedAt(place: string): string {
  return `${place} uncounted`;
}

/** Records the result of an attempt. */
async function settle(counting: Counting, admission: Admission, isFailure: boolean | undefined): Promise<void> {
  const { countedBy, isCounted, seats } = admission;
  const { call, limits } = counting;
  const { turns } = call.service.throttle;
  // The success of an uncounted attempt needs no write.
  if (!isFailure && !isCounted) return turns.leave(seats);
  // A trusted source adds no failures to the subject.
  const addKnown = (tally: AttemptCount, now: number): AttemptCount =>
    tally.counter.of === "subject" ? tally : addOne(tally, limits, now);
  const takeBack = (tally: AttemptCount): AttemptCount => (countedBy.includes(tally.counter.id) ? withoutAttempt(tally) : tally);
  await inTurn(counting, async () => {
    try {
      if (!isCounted) await inTransaction(call, (tx) => change(tx, counting, addKnown));
      else if (isFailure === undefined) await inTransaction(call, (tx) => change(tx, counting, takeBack));
      else if (!isFailure) await inTransaction(call, (tx) => change(tx, counting, resetAfterSuccess));
    } finally {
      turns.leave(seats);
    }
  });
}

// The other attempts may be waiting for the host's transaction to end: waiting for them in it would be a deadlock.
function inTurn<T>({ call, place }: Counting, work: () => Promise<T>): Promise<T> {
  return isInsideHost(call) ? work() : call.service.throttle.turns.inTurn(place, work);
}

async function change(
  tx: Transaction,
  { call, limits, counters }: Counting,
  toChanged: (tally: AttemptCount, now: number) => AttemptCount,
): Promise<void> {
  const now = call.service.runtime.clock();
  const tallies = await readAttemptCounts(tx, counters, limits, now);
  await saveAttemptCounts(
    tx,
    tallies.map((tally) => toChanged(tally, now)),
    limits,
  );
}

/**
 * Counts in its own transaction: the rollback of a dry run would make guessing free. Inside of the host's transaction, only that
 * one exists.
 */
export async function inTransaction<T>(call: OperationCall, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { storage, throttle } = call.service;
  const change = (tx: Transaction): Promise<T> => {
    tx.afterCommit(() => throttle.known.invalidate());
    return work(tx);
  };
  const run = (): Promise<T> => (isInsideHost(call) ? call.write(({ tx }) => change(tx)) : storage.transaction(change));
  return retryConflicts(run);
}

/** Runs a transaction that counts; retries when another process has created the same counter. */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof UniqueViolation) || tries === maxTries) throw error;
    }
}

/** Admits an attempt, at once or after running ones that may still succeed. @throws IdentityError when it is refused. */
async function admit(counting: Counting): Promise<Admission> {
  const { call, kind } = counting;
  const { turns } = call.service.throttle;
  for (;;) {
    const decision = await inTurn(counting, () => decide(counting));
    if ("seats" in decision) return decision;
    if (isInsideHost(call) || !turns.canWait(decision.counter.id)) throw toRefusal(kind, decision, call.service.runtime.clock());
    await turns.next(decision.counter.id);
  }
}

/** The counter that refuses an attempt. */
type Refusing = Pick<AttemptCount, "counter" | "refusedUntil">;

async function decide(counting: Counting): Promise<Admission | Refusing> {
  const { call } = counting;
  const decision = (await admitKnown(counting)) ?? (await inTransaction(call, (tx) => countAttempt(tx, counting)));
  if ("seats" in decision) call.service.throttle.turns.enter(decision.seats);
  return decision;
}

/**
 * Admits an attempt without a write if this pair succeeded within the last day and has not failed since: it is counted only when
 * it fails. At most `maxFailures` of these run at once in this process. Undefined for all other pairs.
 */
async function admitKnown(counting: Counting): Promise<Admission | Refusing | undefined> {
  const { call, limits, name, counters, place } = counting;
  const { known, turns } = call.service.throttle;
  const read = (): Promise<TrustedSource | undefined> => readKnownPair(counting);
  // Changes in this process clear the cache: after a failure of a trusted pair, the next attempt reads again.
  const pair = await (isInsideHost(call) ? read() : known.find(name, read));
  if (pair === undefined || !isTrusted(pair, call.service.runtime.clock())) return undefined;
  const [nearest] = counters;
  if (nearest !== undefined && turns.running(uncountedAt(place)) >= limits.maxFailures)
    return { counter: nearest, refusedUntil: 0 };
  return { isCounted: false, countedBy: [], delayMs: 0, seats: [...counters.map((counter) => counter.id), uncountedAt(place)] };
}

async function readKnownPair({ call, limits, counters }: Counting): Promise<TrustedSource | undefined> {
  const now = call.service.runtime.clock();
  const [pair, ...wider] = await readAttemptCounts(call.reader, counters, limits, now);
  if (pair === undefined || !isTrusted(pair, now) || pair.count > 0) return undefined;
  const isRefused = wider.some((tally) => tally.counter.of === "source" && tally.refusedUntil > now);
  return isRefused ? undefined : { counters, knownUntil: pair.knownUntil };
}

/** Counts an attempt before it runs; returns the counter that refuses it, if any. */
async function countAttempt(tx: Transaction, { call, limits, counters, place }: Counting): Promise<Admission | Refusing> {
  const { turns, waiting } = call.service.throttle;
  const now = call.service.runtime.clock();
  const tallies = await readAttemptCounts(tx, counters, limits, now);
  const isKnown = tallies.some((tally) => tally.knownUntil > now);
  const counted = tallies.filter(({ counter }) => counter.of !== "subject" || !isKnown);
  const [nearest] = counted;
  const isFull = nearest !== undefined && nearest.count + turns.running(uncountedAt(place)) >= nearest.counter.limit;
  const refusing = counted.find((tally) => tally.refusedUntil > now) ?? (isFull ? nearest : undefined);
  if (refusing !== undefined) return refusing;
  const delayMs = nearest === undefined ? 0 : delayAfter(nearest.count, limits);
  if (delayMs > 0 && waiting.isFull) throw tooMany(firstDelayMs);
  await saveAttemptCounts(
    tx,
    counted.map((tally) => addOne(tally, limits, now)),
    limits,
  );
  const countedBy = counted.map(({ counter }) => counter.id);
  return { isCounted: true, countedBy, delayMs, seats: counters.map((counter) => counter.id) };
}

function delayAfter(failures: number, { slowAfter, maxDelayMs }: ThrottleLimits): number {
  return failures < slowAfter ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - slowAfter));
}

function toRefusal(kind: AttemptKind, { counter, refusedUntil }: Refusing, now: number): IdentityError {
  const milliseconds = refusedUntil - now;
  if (counter.of === "source" || kind === "clientSecret") return tooMany(milliseconds);
  return generalError("locked", undefined, { headers: retryAfter(milliseconds) });
}

function tooMany(milliseconds: number): IdentityError {
  return generalError("tooManyAttempts", undefined, { headers: retryAfter(milliseconds) });
}

function retryAfter(milliseconds: number): Readonly<Record<string, string>> {
  return { "retry-after": String(Math.max(1, Math.ceil(milliseconds / 1_000))) };
}
