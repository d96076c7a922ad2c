import type { Accepted } from "./sink.ts";

/** When something was ended that delivers or stores events, on the clock of `performance.now`. */
export interface End {
  readonly begin: number;
  /** From then on it is gone for certain, or there again. */
  readonly over: number;
  /** An answer as old as this at the end is stored, in milliseconds: {@link storedWithin}. */
  readonly storedMs: number;
}

/** A write that was acknowledged, on the clock of `performance.now`. */
export interface TimedWrite {
  readonly begin: number;
  readonly end: number;
}

/** How deliveries repeat around ends: in words, and whether more of them do than may. */
export interface Repetitions {
  readonly text: string;
  readonly areTooMany: boolean;
}

const lastSecondMs = 1_000;
// Busy machines take longer: of 30 kills a correct sender stored one answer after 126 ms.
const minStoredMs = 250;
/** An outcome waits for the commit under way and for its own. */
const commitsWaited = 2;
/** The share of the older answers of the last second that may come again. */
const maxShare = 0.1;
/** A busy machine stores outcomes later. A sender that forgets them repeats most answers. */
const deviations = 4;

/**
 * How long an outcome may take to be stored, in milliseconds: twice as long as half of the writes of the last second took, since both wait
 * for commits. So the judgement does not depend on how fast the machine is. Where there was no write, nothing is known of it.
 */
export function storedWithin(writes: readonly TimedWrite[], now: number): number {
  const recent = writes.filter(({ end }) => now - end <= lastSecondMs);
  const times = recent.map(({ begin, end }) => end - begin).sort((one, other) => one - other);
  const median = times[Math.floor(times.length / 2)] ?? lastSecondMs;
  return Math.max(minStoredMs, commitsWaited * median);
}

/**
 * Judges which deliveries were repeated: those may be whose answer the sender could not know, or had no time to store, before it or its
 * database ended.
 */
export function judgeRepetitions(accepted: readonly Accepted[], ends: readonly End[]): Repetitions {
  const events = [...Map.groupBy(accepted, ({ eventId }) => eventId).values()].map((all) => toEvent(all, ends));
  const repeated = events.filter(({ isRepeated }) => isRepeated);
  const isLate = ({ age, storedMs }: Event): boolean => age <= storedMs;
  const unseen = repeated.filter(({ age }) => age === unanswered).length;
  const late = repeated.filter(isLate).length - unseen;
  const old = repeated.filter((one) => !isLate(one));
  const candidates = events.filter((one) => !isLate(one) && one.age <= lastSecondMs).length;
  const oldest = Math.round(Math.max(0, ...old.map(({ age }) => age)));
  const text =
    `${repeated.length} events were repeated: of ${unseen} the sender did not live to see the answer, ${late} were answered so shortly before ` +
    `an end that it was not stored yet (${ends.map(({ storedMs }) => Math.round(storedMs)).join(", ")} ms), and ${old.length} of the ${candidates} others that were answered in the last second` +
    (old.length > 0 ? `, the oldest ${oldest} ms before it` : "");
  return { text, areTooMany: old.length > limitOf(candidates) };
}

// More than the share: few answers say little.
function limitOf(candidates: number): number {
  return maxShare * candidates + deviations * Math.sqrt(maxShare * (1 - maxShare) * candidates);
}

interface Event {
  readonly isRepeated: boolean;
  /** How long before an end its first answer was that the sender could know. */
  readonly age: number;
  readonly storedMs: number;
}

const unanswered = Number.NEGATIVE_INFINITY;

function toEvent(all: readonly Accepted[], ends: readonly End[]): Event {
  const isRepeated = all.length > 1;
  const first = all.slice(0, isRepeated ? -1 : 1).find(({ isAnswered }) => isAnswered);
  const end = first && ends.find(({ over }) => over >= first.time);
  return { isRepeated, age: ageAtEnd(first, end), storedMs: end?.storedMs ?? minStoredMs };
}

function ageAtEnd(first: Accepted | undefined, end: End | undefined): number {
  if (first === undefined) return unanswered;
  return end === undefined ? Number.POSITIVE_INFINITY : Math.max(0, end.begin - first.time);
}
