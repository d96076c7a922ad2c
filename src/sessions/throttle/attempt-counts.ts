import { hash } from "node:crypto";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import { globalScope, type RecordToStore, type StorageReader, type Transaction } from "../../ports/storage.js";
import { attemptsTable } from "../../records/tables.js";
import type { Counter, ThrottleLimits, TrustedSource } from "../../security/throttle-limits.js";

/** The state of a counter. Instants are epoch milliseconds, 0 for never. */
export interface AttemptCount extends Kept {
  readonly counter: Counter;
  /** Whether the storage may hold a record of it. Default: true. */
  readonly isStored?: boolean;
}

interface Kept {
  readonly count: number;
  /** The first counted attempt. */
  readonly startInstant: number;
  readonly refusedUntil: number;
  /** The end of the trust in a pair that succeeded. */
  readonly knownUntil: number;
}

/** The counters of an attempt, narrowest first. */
export function countersOf(
  subject: { readonly kind: string; readonly id: string },
  source: string,
  { maxFailures, maxFailuresPerSubject, maxFailuresPerSource }: ThrottleLimits,
): readonly Counter[] {
  const { kind, id } = subject;
  return [
    { of: "pair", id: counterOf([kind, "pair", id, source]), limit: maxFailures },
    { of: "subject", id: counterOf([kind, "subject", id]), limit: maxFailuresPerSubject },
    { of: "source", id: counterOf([kind, "source", source]), limit: maxFailuresPerSource },
  ];
}

/** The id of a counter: a digest, so that the storage reveals addresses and names only to guessing. */
export function counterOf(parts: readonly string[]): string {
  const digest = hash("sha256", JSON.stringify(parts), "hex");
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The current state of counters; expired counts are 0. */
export async function readAttemptCounts(
  reader: StorageReader,
  counters: readonly Counter[],
  { windowSeconds }: ThrottleLimits,
  now: number,
): Promise<readonly AttemptCount[]> {
  const values = counters.map((counter) => counter.id);
  const found = await reader.find(globalScope, attemptsTable, { op: "in", column: "id", values });
  const kept = new Map(found.map((record) => [record.id, parseRecord<Kept>(record)]));
  return counters.map((counter) => {
    const tally = kept.get(counter.id);
    const isStored = tally !== undefined;
    const none = { counter, count: 0, startInstant: now, refusedUntil: 0, knownUntil: tally?.knownUntil ?? 0, isStored };
    if (tally === undefined) return none;
    const isOver = tally.refusedUntil > 0 ? tally.refusedUntil <= now : tally.startInstant + windowSeconds * 1_000 <= now;
    return isOver ? none : { ...tally, counter };
  });
}

/** How long a source is trusted after a success of the subject, even if others fail. */
const knownMs = 30 * 24 * 3_600_000;
const dayMs = 24 * 3_600_000;

/** Whether a pair succeeded within the last day, so that a new success needs no write. */
export function isTrusted({ knownUntil }: Pick<TrustedSource, "knownUntil">, now: number): boolean {
  return knownUntil > now + knownMs - dayMs;
}

/** A counter with one more attempt. At the limit it blocks further attempts until this one succeeds. */
export function addOne(tally: AttemptCount, { lockSeconds }: ThrottleLimits, now: number): AttemptCount {
  const count = tally.count + 1;
  const refusedUntil = Math.max(tally.refusedUntil, count >= tally.counter.limit ? now + lockSeconds * 1_000 : 0);
  return { ...tally, count, refusedUntil };
}

/** A counter after a success: resets pair and subject, and removes only this attempt from the source. */
export function resetAfterSuccess(tally: AttemptCount, now: number): AttemptCount {
  const { counter, isStored } = tally;
  if (counter.of !== "source") {
    const knownUntil = counter.of === "pair" ? now + knownMs : 0;
    return { counter, isStored, count: 0, startInstant: now, refusedUntil: 0, knownUntil };
  }
  return withoutAttempt(tally);
}

/** A counter without an attempt that ended without a verdict, as if it had not been made. */
export function withoutAttempt(tally: AttemptCount): AttemptCount {
  const count = Math.max(0, tally.count - 1);
  return { ...tally, count, refusedUntil: count < tally.counter.limit ? 0 : tally.refusedUntil };
}

/** Replaces the stored records of counters. */
export async function saveAttemptCounts(
  tx: Transaction,
  tallies: readonly AttemptCount[],
  { windowSeconds }: ThrottleLimits,
): Promise<void> {
  const values = tallies.flatMap(({ counter, isStored }) => (isStored === false ? [] : [counter.id]));
  if (values.length > 0) await tx.remove(globalScope, attemptsTable, { op: "in", column: "id", values });
  const telling = tallies.filter((tally) => tally.count > 0 || tally.knownUntil > 0);
  if (telling.length > 0)
    await tx.insert(
      globalScope,
      attemptsTable,
      telling.map((tally) => toRecord(tally, windowSeconds)),
    );
}

function toRecord(
  { counter, count, startInstant, refusedUntil, knownUntil }: AttemptCount,
  windowSeconds: number,
): RecordToStore {
  const kept: Kept = { count, startInstant, refusedUntil, knownUntil };
  const expiryInstant = Math.max(startInstant + windowSeconds * 1_000, refusedUntil, knownUntil);
  const instants = { insertInstant: startInstant, lastUpdateInstant: startInstant };
  return {
    id: counter.id,
    tenantId: null,
    version: 1,
    ...instants,
    json: toCanonicalJson(kept),
    hidden: null,
    columns: { expiryInstant },
  };
}
