import {
  type Criteria,
  nodeRuntime,
  type PositionRange,
  type SearchPage,
  type Storage,
  type StorageCapabilities,
  type StorageReader,
  StorageUnavailable,
  type StoredRecord,
  type Table,
  type TenantScope,
  type Transaction,
} from "latchkey/ports";
import { MemoryTransaction } from "./memory-transaction.js";
import { type Layer, MemoryView } from "./memory-view.js";
import { TableState } from "./table-state.js";

/**
 * Storage in the memory of this process, for tests and trials. Transactions are serialized and can roll back; records are frozen
 * copies.
 */
export function memoryStorage(): Storage<undefined> {
  return new MemoryStorage();
}

class MemoryStorage implements Storage<undefined> {
  readonly capabilities: StorageCapabilities = { isDurable: false, isShared: false };
  readonly #tables = new Map<string, Table>();
  readonly #kept: Layer = new Map();
  readonly #view = new MemoryView(this.#tables, [this.#kept]);
  /** One layer per open snapshot, with the previous versions of the records that have changed since. */
  readonly #snapshots = new Set<Layer>();
  #queue: Promise<unknown> = Promise.resolve();
  #runtime = nodeRuntime;
  #lastPosition = 0;
  #isClosed = false;

  async open(tables: readonly Table[], runtime = this.#runtime): Promise<void> {
    this.#runtime = runtime;
    for (const table of tables) {
      if (this.#tables.has(table.name)) continue;
      this.#tables.set(table.name, table);
      this.#kept.set(table.name, new TableState(table));
    }
  }

  async retrieve(scope: TenantScope, table: Table, id: string): Promise<StoredRecord | undefined> {
    return this.#open().retrieve(scope, table, id);
  }

  async find(...call: Parameters<StorageReader["find"]>): Promise<readonly StoredRecord[]> {
    return this.#open().find(...call);
  }

  async findIds(...call: Parameters<StorageReader["findIds"]>): Promise<readonly string[]> {
    return this.#open().findIds(...call);
  }

  async findPositions(table: Table): Promise<readonly PositionRange[]> {
    return this.#open().findPositions(table);
  }

  async search(scope: TenantScope, table: Table, criteria: Criteria): Promise<SearchPage> {
    const ids = this.#open().findManyIds(scope, table, criteria.filter);
    if (ids === undefined) return this.#open().search(scope, table, criteria);
    // Other work runs between the steps of the search.
    const nextTurn = (): Promise<void> => this.#runtime.timers.nextTurn();
    return this.#readState((view) => view.searchAmong({ ids, nextTurn }, scope, table, criteria));
  }

  transaction<T>(work: (tx: Transaction<undefined>) => Promise<T>): Promise<T> {
    const run = this.#queue.then(async () => {
      this.#open();
      const tx = new MemoryTransaction(this.#tables, [this.#kept, new Map()], () => ++this.#lastPosition);
      tx.isAwaited = () => this.#queue !== ended;
      try {
        const result = await work(tx);
        for (const earlier of this.#snapshots) tx.keepEarlier(earlier);
        tx.commit(this.#kept);
        return result;
      } finally {
        tx.end();
      }
    });
    const ended: Promise<unknown> = run.catch(() => undefined);
    this.#queue = ended;
    return run;
  }

  async snapshot<T>(work: (reader: StorageReader) => Promise<T>): Promise<T> {
    this.#open();
    return this.#readState(work);
  }

  /** Registers the snapshot synchronously. */
  async #readState<T>(work: (view: MemoryView) => Promise<T>): Promise<T> {
    const earlier: Layer = new Map();
    this.#snapshots.add(earlier);
    try {
      return await work(new MemoryView(this.#tables, [this.#kept, earlier]));
    } finally {
      this.#snapshots.delete(earlier);
    }
  }

  async ping(): Promise<void> {
    this.#open();
  }

  async close(): Promise<void> {
    await this.#queue;
    this.#isClosed = true;
  }

  #open(): MemoryView {
    if (this.#isClosed) throw new StorageUnavailable("The storage is closed.");
    return this.#view;
  }
}
