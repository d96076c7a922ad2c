import type { Storage } from "latchkey/ports";

/** The calls of a storage as members of their own, so that some of them can be put in place of others. */
export function boundStorage<Native>(storage: Storage<Native>): Storage<Native> {
  return {
    capabilities: storage.capabilities,
    open: (...call) => storage.open(...call),
    retrieve: (...call) => storage.retrieve(...call),
    find: (...call) => storage.find(...call),
    findIds: (...call) => storage.findIds(...call),
    findPositions: (...call) => storage.findPositions(...call),
    search: (...call) => storage.search(...call),
    transaction: (work, options) => storage.transaction(work, options),
    snapshot: (work) => storage.snapshot(work),
    ping: () => storage.ping(),
    close: () => storage.close(),
  };
}
