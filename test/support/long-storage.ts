import type { Storage } from "latchkey";

/** A storage that is told of every transaction that it is long. */
export function longStorage<Native>(storage: Storage<Native>): Storage<Native> {
  return {
    capabilities: storage.capabilities,
    open: (tables) => storage.open(tables),
    retrieve: (...call) => storage.retrieve(...call),
    find: (...call) => storage.find(...call),
    findIds: (...call) => storage.findIds(...call),
    search: (...call) => storage.search(...call),
    transaction: (work, options) => storage.transaction(work, { ...options, isLong: true }),
    ping: () => storage.ping(),
    close: () => storage.close(),
  };
}
