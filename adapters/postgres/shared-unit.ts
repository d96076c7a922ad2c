import type { KnownRecords } from "../kysely/known-records.js";
import { assertRunning, type RunningUnit } from "../kysely/running-unit.js";
import type { SqlConnection, SqlTransaction } from "../kysely/sql-connection.js";
import type { Attempt } from "./attempt.js";
import type { PreparedStatements } from "./prepared-statements.js";
import { toConnection } from "./to-connection.js";

/** What units of one transaction share. */
export interface SharedAttempt {
  readonly attempt: Attempt;
  readonly statements: PreparedStatements;
  readonly known: KnownRecords;
}

/** One unit of work of a transaction that it shares with units before and after it. */
export class SharedUnit {
  readonly #shared: SharedAttempt;
  readonly #unit: RunningUnit;
  #depth = 0;
  #hasWritten = false;

  constructor(shared: SharedAttempt) {
    this.#shared = shared;
    this.#unit = shared.attempt.beginUnit();
  }

  /** Its callback after the commit. */
  get callbacks(): readonly (() => void)[] {
    return this.#unit.callbacks;
  }

  /** Whether it has left something that would have to be undone. */
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
      // What must not be shared is run by itself.
      get native(): never {
        return attempt.giveUp(new Error("The host's own statements have a transaction of their own."));
      },
      announce: async () => attempt.giveUp(new Error("Records are changed in transactions of their own.")),
      savepoint: (work) => this.#savepoint(work),
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
    return { ...connection, run };
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
