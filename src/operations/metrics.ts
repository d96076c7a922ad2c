/** The upper bounds of histogram buckets, in milliseconds. */
export const durationBounds: readonly number[] = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** Counts and durations of operations that end. */
export interface OutcomeStatistics<Outcome> {
  readonly outcomes: Map<Outcome, number>;
  /** The number up to each of {@link durationBounds} and above the bound before; the last is for longer durations. */
  readonly buckets: number[];
  totalMs: number;
}

/** Statistics without any operation. */
export function createOutcomeStatistics<Outcome>(): OutcomeStatistics<Outcome> {
  return { outcomes: new Map(), buckets: new Array(durationBounds.length + 1).fill(0), totalMs: 0 };
}

/** Counts one: only a few additions, since metrics may never be read. */
export function countOne<Outcome>(counting: OutcomeStatistics<Outcome>, outcome: Outcome, milliseconds: number): void {
  counting.outcomes.set(outcome, (counting.outcomes.get(outcome) ?? 0) + 1);
  counting.totalMs += milliseconds;
  let bucket = 0;
  while (milliseconds > (durationBounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
  counting.buckets[bucket] = (counting.buckets[bucket] ?? 0) + 1;
}

/** The outcome of an attempt at delivery; `receiverRemoved`: nothing sent to a removed or disabled receiver. */
type DeliveryOutcome = "delivered" | "failed" | "receiverRemoved";

/** Counts attempts to deliver events, from zero on. */
export class DeliveryCounts {
  readonly #counts: Record<DeliveryOutcome, number> = { delivered: 0, failed: 0, receiverRemoved: 0 };

  note(outcome: DeliveryOutcome): void {
    this.#counts[outcome]++;
  }

  read(): Readonly<Record<DeliveryOutcome, number>> {
    return this.#counts;
  }
}

/** The statistics of one route, by response status. */
export interface RouteCounts extends Readonly<OutcomeStatistics<number>> {
  readonly method: string;
  readonly path: string;
}

/** The key of request counts: the same object for each request of a route. */
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

  read(): readonly RouteCounts[] {
    return Array.from(this.#routes, ([{ method, path }, counts]) => ({ method, path, ...counts }));
  }

  #begin(route: CountedRoute): OutcomeStatistics<number> {
    const counts = createOutcomeStatistics<number>();
    this.#routes.set(route, counts);
    return counts;
  }
}

/** The metrics of one service. */
export interface Measurements {
  /** Epoch milliseconds. */
  readonly startInstant: number;
  readonly requests: RequestCounts;
  readonly deliveries: DeliveryCounts;
  /** The outcomes of requests to the range service of breached passwords. */
  readonly breachRanges: { answered: number; failed: number };
  readonly knownKeys: () => number;
}

/** Metrics that begin at zero. */
export function createMeasurements(startInstant: number, knownKeys: () => number): Measurements {
  const counts = { breachRanges: { answered: 0, failed: 0 }, deliveries: new DeliveryCounts(), requests: new RequestCounts() };
  return { startInstant, ...counts, knownKeys };
}
