import { globalScope, type Storage, StorageUnavailable, type Table } from "latchkey/ports";
import { afterAll, expect } from "vitest";

/** A storage that tests use one after the other. */
export interface ReusedStorage {
  readonly storage: Storage;
  /** Removes all records. */
  readonly empty: () => Promise<unknown>;
}

/**
 * Returns a function that makes storages with the same tables. Creating tables takes longer than most tests, so the tests of one
 * file reuse storages, emptied in between.
 */
export function reuseStorages(make: () => ReusedStorage): () => Storage {
  const all: ReusedStorage[] = [];
  afterAll(() => Promise.all(all.map(({ storage }) => storage.close())));
  return lendStorages(() => {
    const one = make();
    all.push(one);
    return one;
  });
}

/** The same for storages that all test files of a process share. */
export function lendStorages(make: () => ReusedStorage): () => Storage {
  const free: ReusedStorage[] = [];
  const opened = new Set<Storage>();
  return () => {
    const one = free.pop() ?? make();
    const { storage } = one;
    const open = async (tables: readonly Table[]): Promise<void> => {
      if (!opened.has(storage)) await storage.open(tables);
      opened.add(storage);
    };
    const giveBack = async (): Promise<void> => {
      if (opened.has(storage)) await one.empty();
      free.push(one);
    };
    return { ...lend(storage, giveBack), open };
  };
}

function lend(storage: Storage, giveBack: () => Promise<void>): Storage {
  let isClosed = false;
  const ask = <T>(call: () => Promise<T>): Promise<T> =>
    isClosed ? Promise.reject(new StorageUnavailable("The storage is closed.")) : call();
  return {
    capabilities: storage.capabilities,
    open: (tables) => storage.open(tables),
    retrieve: (...call) => ask(() => storage.retrieve(...call)),
    find: (...call) => ask(() => storage.find(...call)),
    findIds: (...call) => ask(() => storage.findIds(...call)),
    findPositions: (...call) => ask(() => storage.findPositions(...call)),
    search: (...call) => ask(() => storage.search(...call)),
    transaction: (...call) => ask(() => storage.transaction(...call)),
    snapshot: (work) => ask(() => storage.snapshot(work)),
    ping: () => ask(() => storage.ping()),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await giveBack();
    },
  };
}

/**
 * The same for the tests of the storage contract, with their tables. Lifecycle tests get their own storages, which they open and
 * close.
 */
export function reuseInContract(make: () => Storage, tables: readonly Table[]): () => Storage {
  const reused = reuseStorages(() => {
    const storage = make();
    return { storage, empty: () => emptyTables(storage, tables) };
  });
  return () => (expect.getState().currentTestName?.includes("> lifecycle >") ? make() : reused());
}

// Later tables refer to earlier ones.
function emptyTables(storage: Storage, tables: readonly Table[]): Promise<void> {
  return storage.transaction(async (tx) => {
    for (const table of tables.toReversed()) await tx.remove(globalScope, table, undefined);
  });
}
