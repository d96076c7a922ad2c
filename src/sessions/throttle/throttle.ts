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

/** Whom attempts are counted for: what is attempted, and the id of the user or client that it is attempted for. */
export interface AttemptSubject {
  readonly kind: AttemptKind;
  readonly id: string;
}

const firstDelayMs = 250;
const maxTries = 5;

/**
 * Runs an attempt to prove something, such as a password. Attempts that fail are counted for the subject and the source of the call; too
 * many of them are slowed and then refused before `attempt` runs. An attempt is counted before it runs and given back when it succeeds,
 * so that those made side by side are as few as those made one after the other; one that throws counts as failed. `hasFailed` is undefined for
 * one of which nobody knows whether it was right: it counts for nothing. Call it outside of `call.write`: what is undone there would be
 * forgotten here.
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
  /** Of the subject and the source together. */
  readonly name: string;
  /** The narrowest first. */
  readonly counters: readonly Counter[];
  /** Decisions about attempts that have the narrowest counter in common are made one after the other. */
  readonly place: string;
}

/** An attempt that may be made. */
interface Admission {
  /** Whether it was counted already. */
  readonly isCounted: boolean;
  /** How long it has to wait before. */
  readonly delayMs: number;
  /** What it is under way at. */
  readonly seats: readonly string[];
  /** The ids of the counters that count it. */
  readonly countedBy: readonly string[];
}

// One that is not counted yet is counted here by itself.
function uncountedAt(place: string): string {
  return `${place} uncounted`;
}

/** Notes what became of an attempt. */
async function settle(counting: Counting, admission: Admission, isFailure: boolean | undefined): Promise<void> {
  const { countedBy, isCounted, seats } = admission;
  const { call, limits } = counting;
  const { turns } = call.service.throttle;
  // Nothing was written and nothing is.
  if (!isFailure && !isCounted) return turns.leave(seats);
  // From where the subject is known, only the source itself is refused.
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

// A caller inside the host's transaction must not wait for others, which may be waiting for that transaction to end.
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

/** Counts in a transaction of its own, since a dry run undoes the call's, and guessing would cost nothing. Inside of the host's there is no other. */
export async function inTransaction<T>(call: OperationCall, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { storage, throttle } = call.service;
  const change = (tx: Transaction): Promise<T> => {
    tx.afterCommit(() => throttle.known.invalidate());
    return work(tx);
  };
  const run = (): Promise<T> => (isInsideHost(call) ? call.write(({ tx }) => change(tx)) : storage.transaction(change));
  return retryConflicts(run);
}

/** Runs a transaction that counts, again where another process made the same counter in the same moment. */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof UniqueViolation) || tries === maxTries) throw error;
    }
}

/** Lets an attempt in, at once or after others that may yet turn out to be right. @throws IdentityError when it is refused. */
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

/** What refuses an attempt. */
type Refusing = Pick<AttemptCount, "counter" | "refusedUntil">;

async function decide(counting: Counting): Promise<Admission | Refusing> {
  const { call } = counting;
  const decision = (await admitKnown(counting)) ?? (await inTransaction(call, (tx) => countAttempt(tx, counting)));
  if ("seats" in decision) call.service.throttle.turns.enter(decision.seats);
  return decision;
}

/**
 * Lets in who succeeded from here lately and has not failed since, without a write: it is counted when it fails. No more of them
 * are under way in this process than may fail. Undefined for all others.
 */
async function admitKnown(counting: Counting): Promise<Admission | Refusing | undefined> {
  const { call, limits, name, counters, place } = counting;
  const { known, turns } = call.service.throttle;
  const read = (): Promise<TrustedSource | undefined> => readKnownPair(counting);
  // What changes in this process is seen at once: a known pair that fails is looked at again by the next attempt.
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

/** Counts an attempt that is about to be made; answers what refuses it when something does. */
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
