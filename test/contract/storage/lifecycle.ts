import { globalScope, nodeRuntime, type Storage, StorageUnavailable } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { createGate, keep, keptLabels, rejectionOf } from "./kit.js";
import { books, idOf, north, tables, toBook } from "./tables.js";

const calls: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  retrieve: (storage) => storage.retrieve(north, books, idOf("a")),
  find: (storage) => storage.find(north, books, undefined),
  search: (storage) => storage.search(north, books, { sort: [], limit: 1, offset: 0 }),
  transaction: (storage) => storage.transaction(async () => "done"),
  "a writing transaction": (storage) => keep(storage, books, [toBook("a")]),
  snapshot: (storage) => storage.snapshot(async (reader) => reader.find(north, books, undefined)),
  ping: (storage) => storage.ping(),
};

const closedCalls: readonly ContractTest[] = Object.entries(calls).map(([name, call]) => ({
  name: `answers ${name} with StorageUnavailable once it is closed`,
  run: async (storage) => {
    await call(storage);
    await storage.close();
    await rejectionOf(call(storage), StorageUnavailable);
  },
}));

export const lifecycleTests: readonly ContractTest[] = [
  {
    name: "says what it is capable of",
    run: async ({ capabilities }) => {
      expect([typeof capabilities.isDurable, typeof capabilities.isShared]).toEqual(["boolean", "boolean"]);
    },
  },
  {
    name: "answers a ping",
    run: (storage) => storage.ping(),
  },
  {
    name: "keeps everything when it is opened twice",
    run: async (storage) => {
      await keep(storage, books, [toBook("a")]);
      await storage.open(tables);
      await keep(storage, books, [toBook("b")]);
      expect(await keptLabels(storage)).toEqual(["a", "b"]);
    },
  },
  {
    name: "takes the runtime of the service that opens it, or does without",
    run: async (storage) => {
      await storage.open(tables, nodeRuntime);
      await keep(storage, books, [toBook("a")]);
      expect(await keptLabels(storage)).toEqual(["a"]);
    },
  },
  ...closedCalls,
  {
    name: "ends the transactions that were asked for before it closes",
    run: async (storage) => {
      const gate = createGate();
      const ended: string[] = [];
      const waiting = storage.transaction(async (tx) => {
        await gate.opened;
        await tx.insert(globalScope, books, [toBook("a")]);
        ended.push(...(await keptLabels(tx)));
      });
      const closing = storage.close().then(() => ended.push("closed"));
      gate.open();
      await Promise.all([waiting, closing]);
      expect(ended).toEqual(["a", "closed"]);
    },
  },
  {
    name: "may be closed twice",
    run: async (storage) => {
      await storage.close();
      await storage.close();
    },
  },
];
