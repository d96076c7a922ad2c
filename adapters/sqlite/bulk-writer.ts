import type { SqlConnection, SqlParameters, SqlRow } from "../kysely/sql/sql-connection.js";
import type { DatabaseThread } from "./database-thread.js";
import { savepointControl, type TransactionControl } from "./group-commit.js";
import type { StatementOutcome } from "./prepared-statements.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import type { WalFlusher } from "./wal-flusher.js";

/**
 * The connection of a long transaction. Until the first write, the event loop's own connection reads: it sees the same state,
 * since nothing else writes meanwhile, and saves sending rows between threads.
 */
export class LongConnection implements SqlConnection {
  readonly #thread: DatabaseThread;
  readonly #reader: SqliteConnection;
  #hasWritten = false;

  constructor(thread: DatabaseThread, reader: SqliteConnection) {
    this.#thread = thread;
    this.#reader = reader;
  }

  all(sql: string, parameters: SqlParameters): readonly SqlRow[] | Promise<readonly SqlRow[]> {
    return this.#for(sql).all(sql, parameters);
  }

  first(sql: string, parameters: SqlParameters): SqlRow | undefined | Promise<SqlRow | undefined> {
    return this.#for(sql).first(sql, parameters);
  }

  column(sql: string, parameters: SqlParameters): readonly unknown[] | Promise<readonly unknown[]> {
    return this.#for(sql).column(sql, parameters);
  }

  run(sql: string, parameters: SqlParameters): Promise<number> {
    this.#hasWritten = true;
    return this.#thread.run(sql, parameters);
  }

  runEach(sql: string, lists: readonly SqlParameters[]): Promise<readonly number[]> {
    this.#hasWritten = true;
    return this.#thread.runEach(sql, lists);
  }

  execute(sql: string, parameters: SqlParameters): Promise<StatementOutcome> {
    this.#hasWritten = true;
    return this.#thread.execute(sql, parameters);
  }

  #for(sql: string): DatabaseThread | SqliteConnection {
    this.#hasWritten ||= !sql.startsWith("select");
    return this.#hasWritten ? this.#thread : this.#reader;
  }
}

/**
 * The control statements of a transaction on the thread. Savepoints are not awaited: if one fails, the transaction does not
 * commit. The log is checkpointed before and after.
 */
export function threadControl(
  thread: DatabaseThread,
  isBusy: TransactionControl["isBusy"],
  log: WalFlusher | undefined,
): TransactionControl {
  let savepoints: Promise<unknown> = Promise.resolve();
  const post = (sql: string): void => {
    const done = thread.run(sql, []);
    savepoints = Promise.all([savepoints, done]);
    savepoints.catch(() => undefined);
  };
  const ask = async (kind: "begin" | "commit" | "rollback"): Promise<void> => void (await thread.call({ kind }));
  return {
    begin() {
      log?.beforeLong(thread);
      return ask("begin");
    },
    async commit() {
      await savepoints;
      const committed = ask("commit");
      log?.afterLong(thread);
      await committed;
    },
    rollback: () => ask("rollback"),
    ...savepointControl(post),
    isBusy,
  };
}
