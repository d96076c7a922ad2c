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

/** How an attempt to deliver an event ended; `receiverRemoved`: nothing was sent, since the receiver was removed or disabled. */
type DeliveryOutcome = "delivered" | "failed" | "receiverRemoved";

/** Counts attempts to deliver events, from zero on. */
export class DeliveryCounts {
  readonly #counts: Record<DeliveryOutcome, number> = { delivered: 0, failed: 0, receiverRemoved: 0 };

  note(outcome: DeliveryOutcome): void {
    this.#counts[outcome]++;
  }

  /** What was counted since the service started. */
  read(): Readonly<Record<DeliveryOutcome, number>> {
    return this.#counts;
  }
}

/** What was counted of the requests of one route, by the status of their answers. */
export interface RouteCounts extends Readonly<OutcomeStatistics<number>> {
  readonly method: string;
  readonly path: string;
}

/** What requests are counted by: the same object for each request of a route. */
interface CountedRoute {
  readonly method: string;
  readonly path: string;
}

/** Counts requests by route. */
export class RequestCounts {
  readonly #routes = new Map<CountedRoute, OutcomeStatistics<number>>();

  note(route: CountedRoute, status: number, milliseconds: number): void {
    countOne(this.#routes.get(route) ?? this.#begin(route), status, milliseconds);
  }

  /** What was counted since the service started. */
  read(): readonly RouteCounts[] {
    return Array.from(this.#routes, ([{ method, path }, counts]) => ({ method, path, ...counts }));
  }

  #begin(route: CountedRoute): OutcomeStatistics<number> {
    const counts = createOutcomeStatistics<number>();
    this.#routes.set(route, counts);
    return counts;
  }
}

/** What a service knows of its own run. */
export interface Measurements {
  /** Epoch milliseconds. */
  readonly startInstant: number;
  readonly requests: RequestCounts;
  readonly deliveries: DeliveryCounts;
  /** How the range service of breached passwords answered. */
  readonly breachRanges: { answered: number; failed: number };
  /** How many API keys are remembered. */
  readonly knownKeys: () => number;
}

/** Begins to measure: counts of nothing, from an instant on. */
export function createMeasurements(startInstant: number, knownKeys: () => number): Measurements {
  const counts = { breachRanges: { answered: 0, failed: 0 }, deliveries: new DeliveryCounts(), requests: new RequestCounts() };
  return { startInstant, ...counts, knownKeys };
}
