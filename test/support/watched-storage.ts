import type { LogRecord, RecordToStore, Storage, Table, Transaction } from "latchkey/ports";

/** Hooks of a test on the calls of a storage. */
export interface Watch {
  /** Called with every record before it is stored. */
  readonly onWrite?: (record: RecordToStore) => void;
  /** Called with the records of each lease. */
  readonly onLease?: (records: readonly LogRecord[]) => void;
  /** Called with each call inside a transaction, such as `update groups`. */
  readonly onStatement?: (statement: string) => void;
  /** Called before every read and every transaction; may throw. */
  readonly beforeCall?: (call: "read" | "transaction") => void;
}

/** A storage that calls these hooks. */
export function watchStorage<Native>(storage: Storage<Native>, watch: Watch): Storage<Native> {
  const after = async <T>(call: "read" | "transaction", run: () => Promise<T>): Promise<T> => {
    watch.beforeCall?.(call);
    return run();
  };
  return {
    capabilities: storage.capabilities,
    open: (...call) => storage.open(...call),
    retrieve: (...call) => after("read", () => storage.retrieve(...call)),
    find: (...call) => after("read", () => storage.find(...call)),
    findIds: (...call) => after("read", () => storage.findIds(...call)),
    findPositions: (...call) => after("read", () => storage.findPositions(...call)),
    search: (...call) => after("read", () => storage.search(...call)),
    transaction: (work, options) =>
      after("transaction", () => storage.transaction((tx) => work(watchTransaction(tx, watch)), options)),
    snapshot: (work) => after("read", () => storage.snapshot(work)),
    ping: () => storage.ping(),
    close: () => storage.close(),
  };
}

function watchTransaction<Native>(tx: Transaction<Native>, watch: Watch): Transaction<Native> {
  const noted = <Args extends readonly [unknown, Table, ...unknown[]], Result>(name: string, run: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      watch.onStatement?.(`${name} ${args[1].name}`);
      return run(...args);
    };
  };
  return {
    get native() {
      return tx.native;
    },
    retrieve: noted("retrieve", (...call: Parameters<Transaction["retrieve"]>) => tx.retrieve(...call)),
    find: noted("find", (...call: Parameters<Transaction["find"]>) => tx.find(...call)),
    findIds: (...call) => tx.findIds(...call),
    findPositions: (...call) => tx.findPositions(...call),
    search: noted("search", (...call: Parameters<Transaction["search"]>) => tx.search(...call)),
    insert(scope, table, records) {
      watch.onStatement?.(`insert ${table.name}`);
      for (const record of records) watch.onWrite?.(record);
      return tx.insert(scope, table, records);
    },
    update(scope, table, record) {
      watch.onStatement?.(`update ${table.name}`);
      watch.onWrite?.(record);
      return tx.update(scope, table, record);
    },
    rewrite(scope, table, records) {
      watch.onStatement?.(`rewrite ${table.name}`);
      for (const record of records) watch.onWrite?.(record);
      return tx.rewrite(scope, table, records);
    },
    replaceHidden: (...call) => tx.replaceHidden(...call),
    remove: (...call) => tx.remove(...call),
    clearTenant: (...call) => tx.clearTenant(...call),
    take: (...call) => tx.take(...call),
    async lease(...call) {
      const leased = await tx.lease(...call);
      watch.onLease?.(leased);
      return leased;
    },
    removeLeased: (...call) => tx.removeLeased(...call),
    savepoint: (work) => tx.savepoint(work),
    afterCommit: (callback) => tx.afterCommit(callback),
  };
}
