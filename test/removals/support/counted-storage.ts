import { type Storage, StorageUnavailable, type Transaction } from "latchkey/ports";
import { boundStorage } from "../../support/bound-storage.js";

/** A storage that counts the records that each transaction removes, and fails when it has had enough. */
export interface CountedStorage {
  readonly storage: Storage;
  /** The same for another process, which does not fail. */
  readonly living: Storage;
  /** Of each transaction that removed any. */
  readonly removed: number[];
  /** How many more transactions succeed. */
  transactionsLeft: number;
}

export function countStorage(storage: Storage): CountedStorage {
  const transaction: Storage["transaction"] = async (work, options) => {
    if (--counted.transactionsLeft < 0) throw new StorageUnavailable("The process is dying.");
    let count = 0;
    const result = await storage.transaction((tx) => {
      count = 0;
      return work(
        watch(tx, (removed) => {
          count += removed;
        }),
      );
    }, options);
    if (count > 0) counted.removed.push(count);
    return result;
  };
  const counted: CountedStorage = {
    storage: { ...boundStorage(storage), transaction },
    living: boundStorage(storage),
    removed: [],
    transactionsLeft: Number.POSITIVE_INFINITY,
  };
  return counted;
}

function watch(tx: Transaction, onRemove: (count: number) => void): Transaction {
  return new Proxy(tx, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name !== "remove") return value.bind(target);
      return async (...given: Parameters<Transaction["remove"]>) => {
        const count = await target.remove(...given);
        onRemove(count);
        return count;
      };
    },
  });
}
