import type { LambdaRunner } from "latchkey/ports";

/** One behaviour that every runner of lambdas must show. */
export interface RunnerContractTest {
  /** A sentence, unique in the suite. */
  readonly name: string;
  /** Gets a runner that other tests use as well, and what makes a new one. */
  readonly run: (runner: LambdaRunner, factory: () => LambdaRunner) => Promise<void>;
}
