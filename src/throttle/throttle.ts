import { generalError, type IdentityError } from "../errors/identity-error.js";
import type { OperationCall } from "../operations/operation.js";
import { type Transaction, UniqueViolation } from "../ports/storage.js";
import type { AttemptKind, ThrottleLimits } from "./limits.js";
import { sourceOfAttempt } from "./source-of-attempt.js";
import { type Counter, countersOf, readTallies, saveTallies, type Tally } from "./tallies.js";

/** Whom attempts are counted for: what is attempted, and the id of the user or client that it is attempted for. */
export interface AttemptSubject {
  readonly kind: AttemptKind;
  readonly id: string;
}

/** How long a source from which a subject succeeded is let in although others fail. */
const knownMs = 30 * 24 * 3_600_000;
const firstDelayMs = 250;
const maxTries = 5;

/**
 * Runs an attempt to prove something, such as a password. Attempts that fail are counted for the subject and the source of the call; too
 * many of them are slowed and then refused before `attempt` runs. An attempt is counted before it runs and given back when it succeeds,
 * so that those made side by side are as few as those made one after the other; one that throws stays counted. Call it outside of
 * `call.write`: what is undone there would be forgotten here.
 * @throws IdentityError 423 or 429 with `retry-after` while the subject or the source is refused.
 */
export async function throttled<T>(
  call: OperationCall,
  subject: AttemptSubject,
  attempt: () => Promise<T>,
  hasFailed: (result: T) => boolean,
): Promise<T> {
  const { limits: all, waiting } = call.service.throttle;
  const limits = all[subject.kind];
  if (limits === undefined) return attempt();
  const counting: Counting = { call, limits, counters: countersOf(subject, sourceOfAttempt(call), limits) };
  await waiting.wait(await inTransaction(call, (tx) => countAttempt(tx, subject.kind, counting)));
  const result = await attempt();
  if (!hasFailed(result)) await inTransaction(call, (tx) => giveBack(tx, counting));
  return result;
}

interface Counting {
  readonly call: OperationCall;
  readonly limits: ThrottleLimits;
  readonly counters: readonly Counter[];
}

// Not the transaction of the call, which a dry run undoes: guessing would cost nothing. Inside of the host's there is no other.
async function inTransaction<T>(call: OperationCall, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { storage } = call.service;
  const run = (): Promise<T> => (call.reader === storage ? storage.transaction(work) : call.write(({ tx }) => work(tx)));
  for (let tries = 1; ; tries++)
    try {
      return await run();
    } catch (error) {
      // Another process counted in the same moment.
      if (!(error instanceof UniqueViolation) || tries === maxTries) throw error;
    }
}

/** Counts an attempt that is about to be made, and answers for how many milliseconds it has to wait. */
async function countAttempt(tx: Transaction, kind: AttemptKind, { call, limits, counters }: Counting): Promise<number> {
  const now = call.service.runtime.clock();
  const tallies = await readTallies(tx, counters, limits, now);
  const isKnown = tallies.some((tally) => tally.knownUntil > now);
  const counted = tallies.filter(({ counter }) => counter.of !== "subject" || !isKnown);
  const refusing = counted.find((tally) => tally.refusedUntil > now);
  if (refusing !== undefined) throw toRefusal(kind, refusing, refusing.refusedUntil - now);
  const [nearest] = counted;
  const delay = nearest === undefined ? 0 : delayAfter(nearest.count, limits);
  if (delay > 0 && call.service.throttle.waiting.isFull) throw tooMany(firstDelayMs);
  await saveTallies(
    tx,
    counted.map((tally) => addOne(tally, limits, now)),
    limits,
  );
  return delay;
}

// Whoever makes the last attempt that is allowed has no other, until it turns out that it was right.
function addOne(tally: Tally, { lockSeconds }: ThrottleLimits, now: number): Tally {
  const count = tally.count + 1;
  return { ...tally, count, refusedUntil: count >= tally.counter.limit ? now + lockSeconds * 1_000 : 0 };
}

function delayAfter(failures: number, { slowAfter, maxDelayMs }: ThrottleLimits): number {
  return failures < slowAfter ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - slowAfter));
}

function toRefusal(kind: AttemptKind, { counter }: Tally, milliseconds: number): IdentityError {
  if (counter.of === "source" || kind === "clientSecret") return tooMany(milliseconds);
  return generalError("locked", undefined, { headers: retryAfter(milliseconds) });
}

function tooMany(milliseconds: number): IdentityError {
  return generalError("tooManyAttempts", undefined, { headers: retryAfter(milliseconds) });
}

function retryAfter(milliseconds: number): Readonly<Record<string, string>> {
  return { "retry-after": String(Math.max(1, Math.ceil(milliseconds / 1_000))) };
}

/** Forgives a subject that succeeded its failures, and its source this attempt alone. */
async function giveBack(tx: Transaction, { call, limits, counters }: Counting): Promise<void> {
  const now = call.service.runtime.clock();
  const tallies = await readTallies(tx, counters, limits, now);
  await saveTallies(
    tx,
    tallies.map((tally) => forgive(tally, now)),
    limits,
  );
}

function forgive(tally: Tally, now: number): Tally {
  const { counter } = tally;
  if (counter.of !== "source") {
    const knownUntil = counter.of === "pair" ? now + knownMs : 0;
    return { counter, count: 0, startInstant: now, refusedUntil: 0, knownUntil };
  }
  const count = Math.max(0, tally.count - 1);
  return { ...tally, count, refusedUntil: count < counter.limit ? 0 : tally.refusedUntil };
}
