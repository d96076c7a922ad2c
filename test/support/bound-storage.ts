import type { Storage } from "latchkey/ports";

/** The methods of a storage as own members, so that tests can replace some of them. */
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
