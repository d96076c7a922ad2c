import { countOne, createOutcomeStatistics, type OutcomeStatistics } from "../../operations/metrics.js";
import type { LambdaFailureKind } from "../../ports/lambda-runner.js";

/** How a run of a lambda ended. */
export type RunKind = LambdaFailureKind | "ok";

/** What was counted of the runs of one lambda. */
export interface LambdaRunCounts extends Readonly<OutcomeStatistics<RunKind>> {
  /** Its id; `other` for all that came when enough were known. */
  readonly lambdaId: string;
}

const maxLambdas = 1_000;
const others = "other";

/** Counts runs by lambda. */
export class LambdaCounts {
  readonly #lambdas = new Map<string, OutcomeStatistics<RunKind>>();

  note(lambdaId: string, kind: RunKind, milliseconds: number): void {
    countOne(this.#find(lambdaId), kind, milliseconds);
  }

  /** What was counted since the service started. */
  read(): readonly LambdaRunCounts[] {
    return Array.from(this.#lambdas, ([lambdaId, counts]) => ({ lambdaId, ...counts }));
  }

  #find(lambdaId: string): OutcomeStatistics<RunKind> {
    const name = this.#lambdas.size < maxLambdas || this.#lambdas.has(lambdaId) ? lambdaId : others;
    const counts = this.#lambdas.get(name) ?? createOutcomeStatistics<RunKind>();
    this.#lambdas.set(name, counts);
    return counts;
  }
}
