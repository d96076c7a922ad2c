// For speed only: 64 callers create records for 160 µs of CPU each, instead of 460, and twice as many in a second.
import type { TransactionOptions } from "latchkey/ports";
import { ConnectionSemaphore } from "../internal/connection-semaphore.js";
import { assertRunning, type RunningUnit } from "../kysely/running-unit.js";
import { KnownRecords, type SqlConnection, type SqlParameters, type SqlTransaction } from "../kysely/sql/sql-connection.js";
import { Attempt } from "./connections/attempt.js";
import type { Connections } from "./connections/connections.js";
import type { PgClientLike } from "./connections/pg-types.js";
import { type PreparedStatements, toConnection } from "./connections/prepared-statements.js";

/** The maximum number of shared transactions at a time: the fewer, the more units share each. */
const maxShared = 3;

const maxUnits = 64;

/** The number of units that run alone after a failed shared transaction. */
const alonePerFailure = 100;

/** The parts for running transactions. */
export interface TransactionParts {
  readonly connections: Connections;
  readonly statements: PreparedStatements;
  /** The text that begins a transaction, serializable by default. */
  readonly begin: (isolation?: TransactionOptions["isolation"]) => string;
  /** Called when a transaction may have committed, before any caller knows. */
  readonly onCommit: () => void;
  /** The maximum wait for the start of work, in milliseconds. */
  readonly waitMs: number;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown } | { readonly mustRunAlone: true };

interface Job {
  /** The time of the request, on the monotonic clock. */
  readonly time: number;
  readonly work: (tx: SqlTransaction<never>) => Promise<unknown>;
  readonly settle: (outcome: Outcome) => void;
}

/**
 * Runs units of work one after the other in shared serializable transactions, so that one commit serves them all and common
 * records are read once. Records are sent without waiting for responses. There are no savepoints: when a write fails, or the
 * transaction conflicts with another, all of it rolls back and each unit runs alone.
 */
export class SharedTransactions {
  readonly #parts: TransactionParts;
  readonly #places: ConnectionSemaphore;
  readonly #waiting: Job[] = [];
  /** Whether a transaction for the waiting units is about to begin. */
  #isBeginning = false;
  #toRunAlone = 0;

  constructor(parts: TransactionParts) {
    this.#parts = parts;
    this.#places = new ConnectionSemaphore(parts.connections.runtime, maxShared, parts.waitMs);
  }

  /** Runs work together with other work; `runAlone` runs it in a separate transaction if that fails. */
  run<T, Native>(work: (tx: SqlTransaction<Native>) => Promise<T>, runAlone: () => Promise<T>): Promise<T> {
    if (this.#toRunAlone > 0) {
      this.#toRunAlone--;
      return runAlone();
    }
    return new Promise<T>((resolve, reject) => {
      const settle: Job["settle"] = (outcome) => {
        if ("error" in outcome) reject(outcome.error);
        else if ("value" in outcome) resolve(outcome.value as T);
        else runAlone().then(resolve, reject);
      };
      this.#waiting.push({ time: this.#parts.connections.runtime.monotonic(), work, settle });
      this.#beginAnother();
    });
  }

  #beginAnother(): void {
    if (this.#isBeginning || this.#waiting.length === 0) return;
    this.#isBeginning = true;
    void this.#runShared();
  }

  async #runShared(): Promise<void> {
    // One turn of the event loop lets every request that has already arrived join.
    await this.#parts.connections.runtime.timers.nextTurn();
    try {
      await this.#places.enter();
    } catch (error) {
      return this.#refuse(error);
    }
    try {
      const answer = await this.#parts.connections.hold((client, discard) => this.#runOn(client, discard));
      answer();
    } catch (error) {
      this.#refuse(error);
    } finally {
      this.#places.leave();
    }
  }

  // Without a connection, all waiting jobs fail.
  #refuse(error: unknown): void {
    this.#isBeginning = false;
    settleAll(this.#waiting.splice(0), { error });
  }

  /** Resolves with the function that settles all jobs, to call after the connection is free again. */
  async #runOn(client: PgClientLike, discard: () => void): Promise<() => void> {
    this.#isBeginning = false;
    // Other transactions have taken all jobs meanwhile.
    if (this.#waiting.length === 0) return () => undefined;
    const attempt = new Attempt(client, this.#parts.onCommit);
    const taken: Job[] = [];
    try {
      attempt.begin(this.#parts.begin());
      const answers = await this.#runWaiting(attempt, taken);
      await attempt.commit();
      return () => {
        for (const answer of answers) answer();
      };
    } catch (error) {
      await attempt.rollback().catch(discard);
      // Work that may have been committed must not run again.
      if (attempt.isFateUnknown) return () => settleAll(taken, { error });
      this.#toRunAlone = alonePerFailure;
      return () => settleAll(taken, { mustRunAlone: true });
    }
  }

  async #runWaiting(attempt: Attempt, taken: Job[]): Promise<readonly (() => void)[]> {
    const shared = {
      attempt,
      statements: this.#parts.statements,
      known: new KnownRecords(),
      time: this.#parts.connections.runtime.monotonic(),
    };
    const answers: (() => void)[] = [];
    while (taken.length < maxUnits) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      taken.push(job);
      this.#beginAnother();
      answers.push(await runJob(shared, job));
    }
    return answers;
  }
}

async function runJob(shared: SharedAttempt & { readonly time: number }, job: Job): Promise<() => void> {
  const unit = new SharedUnit(shared);
  try {
    const value = await unit.run(job.work);
    return () => finish(job, unit, value);
  } catch (error) {
    // A unit without writes leaves nothing to undo. The reason of its refusal holds once the transaction commits.
    if (unit.hasWritten || !shared.attempt.isSound) throw error;
    // The transaction does not see commits since it began, which a later job may rely on.
    return () => job.settle(job.time > shared.time ? { mustRunAlone: true } : { error });
  }
}

// An error of a callback concerns only its own job.
function finish(job: Job, unit: SharedUnit, value: unknown): void {
  try {
    for (const callback of unit.callbacks) callback();
    job.settle({ value });
  } catch (error) {
    job.settle({ error });
  }
}

function settleAll(jobs: readonly Job[], outcome: Outcome): void {
  for (const job of jobs) job.settle(outcome);
}

interface SharedAttempt {
  readonly attempt: Attempt;
  readonly statements: PreparedStatements;
  readonly known: KnownRecords;
}

class SharedUnit {
  readonly #shared: SharedAttempt;
  readonly #unit: RunningUnit;
  #depth = 0;
  #hasWritten = false;

  constructor(shared: SharedAttempt) {
    this.#shared = shared;
    this.#unit = shared.attempt.beginUnit();
  }

  get callbacks(): readonly (() => void)[] {
    return this.#unit.callbacks;
  }

  /** Whether it wrote anything that would have to be undone. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  run<T>(work: (tx: SqlTransaction<never>) => Promise<T>): Promise<T> {
    return this.#unit.runAlone(async () => work(this.#toTransaction()));
  }

  #toTransaction(): SqlTransaction<never> {
    const { attempt, known } = this.#shared;
    const depth = (): number => this.#depth;
    return {
      connection: this.#toConnection(),
      known,
      // A unit rolled back to a savepoint could not be distinguished from a committed one.
      get isHopeful() {
        return depth() === 0;
      },
      // Work that must not share a transaction runs alone.
      get native(): never {
        return attempt.giveUp(new Error("The host's own statements have a transaction of their own."));
      },
      announce: async () => attempt.giveUp(new Error("Records are changed in transactions of their own.")),
      savepoint: (work) => this.#savepoint(work),
      undoOpen: () => this.#unit.undoOpen(),
      afterCommit: (callback) => this.#unit.afterCommit(callback),
    };
  }

  #toConnection(): SqlConnection {
    const { attempt, statements } = this.#shared;
    const connection = toConnection(
      statements,
      async (query) => {
        assertRunning(this.#unit);
        return attempt.query(query);
      },
      (query) => {
        assertRunning(this.#unit);
        this.#hasWritten = true;
        attempt.post(query);
      },
    );
    const run: SqlConnection["run"] = (sql, parameters) => {
      this.#hasWritten = true;
      return connection.run(sql, parameters);
    };
    const expectNone = (sql: string, parameters: SqlParameters): void => {
      assertRunning(this.#unit);
      attempt.expectNone(statements.toQuery(sql, parameters));
    };
    const depth = (): number => this.#depth;
    return {
      ...connection,
      run,
      // For the same reason as `isHopeful`.
      get expectNone() {
        return depth() === 0 ? expectNone : undefined;
      },
    };
  }

  async #savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.#depth++;
    try {
      return await this.#unit.savepoint(work);
    } finally {
      this.#depth--;
    }
  }
}
