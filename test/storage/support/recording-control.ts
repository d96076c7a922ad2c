import type { TransactionControl } from "../../../adapters/sqlite/group-commit.js";

/** An error that says that another process holds the lock. */
export class Busy extends Error {}

/** Statements around transactions that write down what they are asked for, and fail when told to. */
export class RecordingControl implements TransactionControl {
  readonly steps: string[] = [];
  prepareCommit?: () => Promise<void> | undefined;
  /** The errors that coming steps fail with, by step. */
  readonly failures: Map<string, Error[]> = new Map();

  begin(): void {
    this.#note("begin");
  }
  commit(): void {
    this.#note("commit");
  }
  rollback(): void {
    this.#note("rollback");
  }
  savepoint(depth: number): void {
    this.#note(`savepoint ${depth}`);
  }
  release(depth: number): void {
    this.#note(`release ${depth}`);
  }
  rollbackTo(depth: number): void {
    this.#note(`rollback to ${depth}`);
  }
  isBusy(error: unknown): boolean {
    return error instanceof Busy;
  }

  /** Lets the next steps of this name fail, one for each error. */
  fail(step: string, ...errors: Error[]): void {
    this.failures.set(step, errors);
  }

  #note(step: string): void {
    this.steps.push(step);
    const error = this.failures.get(step)?.shift();
    if (error !== undefined) throw error;
  }
}
