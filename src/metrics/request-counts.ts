import type { Route } from "../route/define-route.js";

/** What was counted of the requests of one route. */
export interface RouteCounts {
  readonly method: string;
  readonly path: string;
  /** How many requests were answered with each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How many took up to each of {@link durationBounds} and longer than the one before; the last took longer than all. */
  readonly buckets: readonly number[];
  /** How long they took together, in milliseconds. */
  readonly totalMs: number;
}

/** The bounds of durations, in milliseconds. */
export const durationBounds: readonly number[] = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

interface Counting {
  readonly statuses: Map<number, number>;
  readonly buckets: number[];
  totalMs: number;
}

/** Counts requests by route: a few additions for each, since nobody may ever ask. */
export class RequestCounts {
  readonly #routes = new Map<Route<unknown>, Counting>();

  note(route: Route<unknown>, status: number, milliseconds: number): void {
    const counts = this.#routes.get(route) ?? this.#begin(route);
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
    counts.totalMs += milliseconds;
    let bucket = 0;
    while (milliseconds > (durationBounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1;
  }

  /** What was counted since the service started. */
  read(): readonly RouteCounts[] {
    return Array.from(this.#routes, ([{ method, path }, counts]) => ({ method, path, ...counts }));
  }

  #begin(route: Route<unknown>): Counting {
    const counts: Counting = { statuses: new Map(), buckets: new Array(durationBounds.length + 1).fill(0), totalMs: 0 };
    this.#routes.set(route, counts);
    return counts;
  }
}

/** What a service knows of its own run. */
export interface Measurements {
  /** Epoch milliseconds. */
  readonly startInstant: number;
  readonly requests: RequestCounts;
  /** How many API keys are remembered. */
  readonly knownKeys: () => number;
}
