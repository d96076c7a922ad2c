// What a transaction reads, it reads in itself: outside of it, a read may wait for the only connection, which the transaction has.
import { AsyncLocalStorage } from "node:async_hooks";
import { memoryStorage } from "latchkey/memory";
import type { Storage } from "latchkey/ports";
import { expect, onTestFinished, vi } from "vitest";
import { boundStorage } from "../support/bound-storage.js";
import { callEveryOperation, drain, failuresOf, succeededOf } from "../support/every-operation.js";
import { requirement } from "../support/requirement.js";
import { startWorld } from "../support/world.js";

vi.setConfig({ testTimeout: 120_000 });

/** A storage, and the calls that came to it from inside of its transactions, past them. */
function noteCallsPast<Native>(storage: Storage<Native>): { readonly storage: Storage<Native>; readonly past: string[] } {
  const transactions = new AsyncLocalStorage<true>();
  const past: string[] = [];
  const bound = boundStorage(storage);
  const noted = <Args extends readonly unknown[], Result>(name: string, call: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      if (transactions.getStore()) past.push(`${name}\n${new Error().stack}`);
      return call(...args);
    };
  };
  return {
    past,
    // Without `findPositions`: a change of a webhook asks which events others can see, and so reads outside of its transaction.
    storage: {
      ...bound,
      retrieve: noted("retrieve", bound.retrieve),
      find: noted("find", bound.find),
      findIds: noted("findIds", bound.findIds),
      search: noted("search", bound.search),
      snapshot: noted("snapshot", bound.snapshot),
      transaction: noted("transaction", (work, options) =>
        bound.transaction((tx) => transactions.run(true, () => work(tx)), options),
      ),
    },
  };
}

/** Lets everything that is cached expire at once. */
function expireCaches(): void {
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1_000;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
}

requirement("storage.reads-in-transaction", "no operation reads the storage beside its own transaction", async () => {
  const { past, storage } = noteCallsPast(memoryStorage());
  const world = await startWorld(storage, { auditChanges: true, throttle: false, mail: async () => ({ kind: "ok" }) });
  expireCaches();
  const { inProcess, overHttp } = await callEveryOperation(world, async (request) => {
    const response = await world.identity.inject(request);
    await drain(response.stream);
    return response.status;
  });
  await world.identity.settle();
  expect(failuresOf([...inProcess, ...overHttp])).toEqual([]);
  expect(succeededOf(overHttp).size).toBeGreaterThan(150);
  expect(past).toEqual([]);
});
