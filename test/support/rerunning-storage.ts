import type { Storage, Transaction } from "latchkey";

class Undone extends Error {}

/** A storage that runs the work of every transaction twice, as one may that met another: what the first run did is undone. */
export function rerunningStorage<Native>(storage: Storage<Native>): Storage<Native> {
  const runTwice = async <T>(tx: Transaction<Native>, work: (tx: Transaction<Native>) => Promise<T>): Promise<T> => {
    const firstRun = tx.savepoint(async () => {
      await work(tx);
      throw new Undone();
    });
    await firstRun.catch(() => undefined);
    return work(tx);
  };
  return {
    capabilities: storage.capabilities,
    open: (tables) => storage.open(tables),
    retrieve: (...call) => storage.retrieve(...call),
    find: (...call) => storage.find(...call),
    findIds: (...call) => storage.findIds(...call),
    search: (...call) => storage.search(...call),
    transaction: (work, options) => storage.transaction((tx) => runTwice(tx, work), options),
    ping: () => storage.ping(),
    close: () => storage.close(),
  };
}
