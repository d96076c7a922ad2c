// What needs no handle of the database asks for none: it needs a package that is not installed, and costs a transaction of its own.

import { memoryStorage } from "latchkey/memory";
import type { Storage, Transaction } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { boundStorage } from "../support/bound-storage.js";
import { callEveryOperation, drain, failuresOf, succeededOf } from "../support/every-operation.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { startWorld } from "../support/world.js";

const advice = "npm install kysely";

/** A storage whose transactions fail when their handle is asked for, as where the package for it is missing. */
function withoutHandle(storage: Storage): Storage {
  const hide = (tx: Transaction): Transaction =>
    new Proxy(tx, {
      get(target, member) {
        if (member === "native") throw new Error(advice);
        const value: unknown = Reflect.get(target, member, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return { ...boundStorage(storage), transaction: (work, options) => storage.transaction((tx) => work(hide(tx)), options) };
}

const storages: readonly (readonly [name: string, open: () => Storage])[] = [
  ["memory", () => memoryStorage()],
  ["SQLite", () => sqliteStorage({ filename: ":memory:" })],
];

// On SQLite, which is the one that has a handle, and in full runs on both.
describe.each(isLong ? storages : storages.slice(1))("without a handle on %s", (_name, open) => {
  if (isLong)
    requirement("storage.handle-lazy", "every operation answers as with one", async () => {
      const world = await startWorld(withoutHandle(open()), {
        throttle: false,
        sendSms: async () => ({ kind: "ok" }),
        mail: async () => ({ kind: "ok" }),
      });
      const { inProcess, overHttp } = await callEveryOperation(world, async (request) => {
        const { status, stream } = await world.identity.inject(request);
        await drain(stream);
        return status;
      });
      expect(failuresOf([...inProcess, ...overHttp])).toEqual([]);
      expect(succeededOf(overHttp).size).toBeGreaterThan(120);
      expect(succeededOf(inProcess).size).toBeGreaterThan(120);
    });

  requirement("storage.handle-lazy", "a host's transaction that does not read it commits", async () => {
    const { identity } = await startWorld(withoutHandle(open()));
    const { group } = await identity.transaction(async (tx) => {
      const made = await tx.groups.create({ group: { name: "Editors" } });
      return tx.groups.patch({ groupId: made.group.id, patch: { group: { name: "Writers" } } });
    });
    expect((await identity.groups.retrieve({ groupId: group.id })).group.name).toBe("Writers");
  });
});
