import type { Route } from "../../http/route/define-route.js";
import { DeliveryCounts } from "./delivery-counts.js";
import { countOne, createOutcomeStatistics, type OutcomeStatistics } from "./outcome-statistics.js";

export { DeliveryCounts };

/** What was counted of the requests of one route, by the status of their answers. */
export interface RouteCounts extends Readonly<OutcomeStatistics<number>> {
  readonly method: string;
  readonly path: string;
}

/** Counts requests by route. */
export class RequestCounts {
  readonly #routes = new Map<Route<unknown>, OutcomeStatistics<number>>();

  note(route: Route<unknown>, status: number, milliseconds: number): void {
    countOne(this.#routes.get(route) ?? this.#begin(route), status, milliseconds);
  }

  /** What was counted since the service started. */
  read(): readonly RouteCounts[] {
    return Array.from(this.#routes, ([{ method, path }, counts]) => ({ method, path, ...counts }));
  }

  #begin(route: Route<unknown>): OutcomeStatistics<number> {
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
  /** How many API keys are remembered. */
  readonly knownKeys: () => number;
}
