import type { Accepted } from "./sink.ts";

/** When something was ended that delivers or stores events, on the clock of `performance.now`. */
export interface End {
  readonly begin: number;
  /** From then on it is gone for certain, or there again. */
  readonly over: number;
}

/** How deliveries repeat around ends: in words, and whether more of them do than may. */
export interface Repetitions {
  readonly text: string;
  readonly areTooMany: boolean;
}

/** An answer as old as this at the end is stored. */
const storedMs = 100;
const lastSecondMs = 1_000;
/** So many older answers of the last second, for each end, show that the machine is quiet. */
const quietCount = 30;
/** The share of them that may come again: on a machine that the test fills, a commit takes longer. */
const maxShares = { quiet: 0.05, busy: 0.2 };

/**
 * Judges which deliveries were repeated: those may be whose answer the sender could not know, or had no time to store, before it or its
 * database ended.
 */
export function judgeRepetitions(accepted: readonly Accepted[], ends: readonly End[]): Repetitions {
  const events = [...Map.groupBy(accepted, ({ eventId }) => eventId).values()].map((all) => toEvent(all, ends));
  const repeated = events.filter(({ isRepeated }) => isRepeated);
  const isLate = ({ age }: Event): boolean => age <= storedMs;
  const unseen = repeated.filter(({ age }) => age === unanswered).length;
  const late = repeated.filter(isLate).length - unseen;
  const old = repeated.filter((one) => !isLate(one));
  const candidates = events.filter((one) => !isLate(one) && one.age <= lastSecondMs).length;
  const oldest = Math.round(Math.max(0, ...old.map(({ age }) => age)));
  const text =
    `${repeated.length} events were repeated: of ${unseen} the sender did not live to see the answer, ${late} were answered in the last ` +
    `${storedMs} ms before an end, and ${old.length} of the ${candidates} others that were answered in the last second` +
    (old.length > 0 ? `, the oldest ${oldest} ms before it` : "");
  return { text, areTooMany: old.length > limitOf(candidates, ends.length) };
}

// Two standard deviations more than the share: few answers say little.
function limitOf(candidates: number, ends: number): number {
  const share = candidates >= quietCount * ends ? maxShares.quiet : maxShares.busy;
  return share * candidates + 2 * Math.sqrt(share * (1 - share) * candidates);
}

interface Event {
  readonly isRepeated: boolean;
  /** How long before an end its first answer was that the sender could know. */
  readonly age: number;
}

const unanswered = Number.NEGATIVE_INFINITY;

function toEvent(all: readonly Accepted[], ends: readonly End[]): Event {
  const isRepeated = all.length > 1;
  const first = all.slice(0, isRepeated ? -1 : 1).find(({ isAnswered }) => isAnswered);
  return { isRepeated, age: first === undefined ? unanswered : ageAtEnd(first.time, ends) };
}

function ageAtEnd(time: number, ends: readonly End[]): number {
  const end = ends.find(({ over }) => over >= time);
  return end === undefined ? Number.POSITIVE_INFINITY : Math.max(0, end.begin - time);
}
