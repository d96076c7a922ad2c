import type { Storage, Transaction } from "latchkey/ports";
import { boundStorage } from "./bound-storage.js";

class Undone extends Error {}

/** A storage that runs every transaction twice and rolls the first run back, as after a conflict. */
export function rerunningStorage<Native>(storage: Storage<Native>): Storage<Native> {
  const runTwice = async <T>(tx: Transaction<Native>, work: (tx: Transaction<Native>) => Promise<T>): Promise<T> => {
    const firstRun = tx.savepoint(async () => {
      await work(tx);
      throw new Undone();
    });
    await firstRun.catch(() => undefined);
    return work(tx);
  };
  return { ...boundStorage(storage), transaction: (work, options) => storage.transaction((tx) => runTwice(tx, work), options) };
}
