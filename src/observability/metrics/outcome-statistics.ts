/** The bounds of durations, in milliseconds. */
export const durationBounds: readonly number[] = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** What was counted of things that take their time and come to an end. */
export interface OutcomeStatistics<Outcome> {
  /** How many ended in each way. */
  readonly outcomes: Map<Outcome, number>;
  /** How many took up to each of {@link durationBounds} and longer than the one before; the last took longer than all. */
  readonly buckets: number[];
  /** How long they took together, in milliseconds. */
  totalMs: number;
}

/** A count of nothing. */
export function createOutcomeStatistics<Outcome>(): OutcomeStatistics<Outcome> {
  return { outcomes: new Map(), buckets: new Array(durationBounds.length + 1).fill(0), totalMs: 0 };
}

/** Counts one: a few additions, since nobody may ever ask. */
export function countOne<Outcome>(counting: OutcomeStatistics<Outcome>, outcome: Outcome, milliseconds: number): void {
  counting.outcomes.set(outcome, (counting.outcomes.get(outcome) ?? 0) + 1);
  counting.totalMs += milliseconds;
  let bucket = 0;
  while (milliseconds > (durationBounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
  counting.buckets[bucket] = (counting.buckets[bucket] ?? 0) + 1;
}
