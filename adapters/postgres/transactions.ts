import type { Kysely } from "kysely";
import { StorageUnavailable, type TransactionOptions } from "latchkey/ports";
import { pause } from "../internal/async.js";
import type { StorageRuntime } from "../internal/storage-runtime.js";
import type { Query } from "../kysely/sql/fragment.js";
import { KnownRecords, type SqlConnection, type SqlParameters, type SqlTransaction } from "../kysely/sql/sql-connection.js";
import { Attempt } from "./connections/attempt.js";
import type { PgClientLike, PgQuery } from "./connections/pg-types.js";
import { isConstraint } from "./connections/pg-types.js";
import { type PreparedStatements, toConnection } from "./connections/prepared-statements.js";
import { createPostgresHandle } from "./host-handle.js";
import { SharedTransactions, type TransactionParts } from "./shared-transactions.js";

type HostTransaction<Database> = SqlTransaction<Kysely<Database>>;

/** The maximum number of runs of conflicting work. */
const maxAttempts = 40;

/**
 * The maximum number of runs of work that violates a constraint: a second run shows whether another transaction was the reason.
 */
const maxConstraintAttempts = 3;

/**
 * The turn of transactions that conflicted without a known record. The wait is short: they may have conflicted with a different
 * transaction.
 */
const anyRecord = "";
const maxWaitForAnyMs = 1_000;

/**
 * The run from which a record is tried although other transactions of this process use it: work on several such records would
 * never get a turn for all.
 */
const triesTakenFrom = 10;

/** Another transaction of this process uses the record, or waits for it. */
const recordTaken = new Error("Another transaction of this process is at the record.");

interface Job<T, Database> {
  readonly work: (tx: HostTransaction<Database>) => Promise<T>;
  /** The text that begins its transactions. */
  readonly begin: string;
  /** Whether its first run need not wait for the responses to inserts. */
  readonly mayCollideLate: boolean;
}

interface Lost {
  readonly conflict: unknown;
  /** The record that the run was about to change at the conflict. */
  readonly key: string;
}

/**
 * Runs work in serializable transactions, and again after a conflict with another transaction. Transactions of this process that
 * conflicted at a record then take turns in the order of arrival, so that none retries in vain for long.
 */
export class Transactions {
  readonly #parts: TransactionParts;
  readonly #shared: SharedTransactions;
  readonly #turns: KeyMutex;
  readonly #running = new Set<Promise<unknown>>();
  #isClosing = false;

  constructor(parts: TransactionParts) {
    this.#parts = parts;
    this.#turns = new KeyMutex(parts.connections.runtime);
    this.#shared = new SharedTransactions(parts);
  }

  async run<T, Database>(work: (tx: HostTransaction<Database>) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (this.#isClosing) throw new StorageUnavailable("The storage is closed.");
    const begin = this.#parts.begin(options.isolation);
    const runAlone = (): Promise<T> => this.#untilKept({ work, begin, mayCollideLate: options.mayCollideLate === true });
    const running = options.isShareable ? this.#shared.run(work, runAlone) : runAlone();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Begins no more transactions, and waits for the running ones. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.allSettled(this.#running);
  }

  async #untilKept<T, Database>(job: Job<T, Database>): Promise<T> {
    let turn: { readonly key: string; readonly end: () => void } | undefined;
    try {
      for (let attempt = 1; ; attempt++) {
        const outcome = await this.#tryOnce(job, attempt, turn?.key);
        if ("keep" in outcome) return outcome.keep();
        assertMayRetry(outcome.conflict, attempt);
        // The conflict was with another process: pause longer.
        if (turn?.key === outcome.key) await this.#pauseBefore(attempt);
        else {
          turn?.end();
          turn = undefined;
          turn = { key: outcome.key, end: await this.#takeTurn(outcome.key) };
        }
      }
    } finally {
      turn?.end();
    }
  }

  #pauseBefore(attempt: number): Promise<void> {
    const { runtime } = this.#parts.connections;
    return pause(runtime.timers, runtime.randomShare() * Math.min(2 ** attempt, 100));
  }

  #takeTurn(key: string): Promise<() => void> {
    return this.#turns.take(key, key === anyRecord ? maxWaitForAnyMs : undefined);
  }

  #tryOnce<T, Database>(
    { begin, mayCollideLate, work }: Job<T, Database>,
    number: number,
    ownKey: string | undefined,
  ): Promise<{ readonly keep: () => T } | Lost> {
    return this.#parts.connections.hold(async (client, discard) => {
      const attempt = new Attempt(client, this.#parts.onCommit);
      let key = anyRecord;
      const announce = async (table: string, id: string): Promise<void> => {
        key = `${table} ${id}`;
        if (number < triesTakenFrom && key !== ownKey && this.#turns.isTaken(key)) attempt.giveUp(recordTaken);
      };
      const tx = this.#toTransaction<Database>(client, attempt, announce, mayCollideLate && number === 1);
      try {
        attempt.begin(begin);
        const value = await attempt.unit.runAlone(async () => work(tx));
        await attempt.commit();
        return { keep: () => keep(attempt.unit.callbacks, value) };
      } catch (error) {
        await attempt.rollback().catch(discard);
        if (attempt.conflict === undefined) throw error;
        return { conflict: attempt.conflict, key };
      }
    });
  }

  #toTransaction<Database>(
    client: PgClientLike,
    attempt: Attempt,
    announce: HostTransaction<Database>["announce"],
    sendsAhead: boolean,
  ): HostTransaction<Database> {
    const { unit } = attempt;
    const known = new KnownRecords();
    let handle: Kysely<Database> | undefined;
    return {
      // Changes by the host's own statements are unknown.
      get known() {
        return handle === undefined ? known : undefined;
      },
      // Statements of the host must see the service's writes.
      connection: toTransactionConnection(this.#parts.statements, attempt, () => sendsAhead && handle === undefined),
      settle: () => attempt.settle(),
      announce,
      get native() {
        if (handle === undefined) attempt.sendSavepoints();
        handle ??= createPostgresHandle<Database>(client, attempt);
        return handle;
      },
      savepoint: (work) => unit.savepoint(() => known.forgetIfUndone(work)),
      undoOpen: () => unit.undoOpen(),
      afterCommit: (callback) => unit.afterCommit(callback),
    };
  }
}

function toTransactionConnection(statements: PreparedStatements, attempt: Attempt, sendsAhead: () => boolean): SqlConnection {
  const toQueries = (sql: string, parameters: SqlParameters, undo: Query): [PgQuery, PgQuery] => [
    statements.toQuery(sql, parameters),
    statements.toQuery(undo.sql, undo.parameters),
  ];
  return {
    ...toConnection(
      statements,
      (query) => attempt.query(query),
      (query) => attempt.post(query),
    ),
    insert: (sql, parameters, undo) => attempt.insert(...toQueries(sql, parameters, undo)),
    get insertAhead() {
      if (!sendsAhead()) return undefined;
      return (sql: string, parameters: SqlParameters, undo: Query) => attempt.insertAhead(...toQueries(sql, parameters, undo));
    },
    get expectNone() {
      if (!sendsAhead()) return undefined;
      return (sql: string, parameters: SqlParameters) => attempt.expectNone(statements.toQuery(sql, parameters));
    },
    get insertManyAhead() {
      if (!sendsAhead()) return undefined;
      return (sql: string, parameters: SqlParameters) => attempt.insertManyAhead(statements.toQuery(sql, parameters));
    },
  };
}

function keep<T>(callbacks: readonly (() => void)[], value: T): T {
  for (const callback of callbacks) callback();
  return value;
}

function assertMayRetry(conflict: unknown, attempt: number): void {
  if (isConstraint(conflict) && attempt >= maxConstraintAttempts) throw conflict;
  if (attempt < maxAttempts) return;
  throw new StorageUnavailable("The transaction met others too often.", { cause: conflict });
}

/** A mutex by key: first come, first served. */
class KeyMutex {
  readonly #runtime: StorageRuntime;
  readonly #last = new Map<string, Promise<void>>();

  constructor(runtime: StorageRuntime) {
    this.#runtime = runtime;
  }

  isTaken(key: string): boolean {
    return this.#last.has(key);
  }

  /** Resolves when it is the caller's turn, or after `maxWaitMs`, with the function that ends it. */
  async take(key: string, maxWaitMs?: number): Promise<() => void> {
    const before = this.#last.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, promise);
    await (maxWaitMs === undefined || before === undefined
      ? before
      : Promise.race([before, pause(this.#runtime.timers, maxWaitMs)]));
    return () => {
      if (this.#last.get(key) === promise) this.#last.delete(key);
      resolve();
    };
  }
}
