import { globalScope, type LogRecord, type RecordToStore, type Storage } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, labelsOf, rejectionOf, storedPart } from "./kit.js";
import { entries, toEntry } from "./tables.js";

// Neither ids nor instants tell the order: what was added first is what comes first.
const added = ["c", "a", "d", "b"];

async function keepAll(storage: Storage): Promise<void> {
  for (const label of added) await keep(storage, entries, [toEntry(label)]);
}

async function take(storage: Storage, limit: number): Promise<readonly string[]> {
  return labelsOf(await storage.transaction((tx) => tx.take(entries, limit)));
}

const now = 1_700_000_000_000;
const until = now + 30_000;

function lease(storage: Storage, limit: number, at = now): Promise<readonly LogRecord[]> {
  return storage.transaction((tx) => tx.lease(entries, { limit, now: at, until: at + 30_000 }));
}

function removeLeased(storage: Storage, leased: readonly LogRecord[], of = until): Promise<readonly number[]> {
  const positions = leased.map(({ position }) => position);
  return storage.transaction((tx) => tx.removeLeased(entries, positions, of));
}

export const logTests: readonly ContractTest[] = [
  {
    name: "takes what was added first, in the order in which it was added",
    run: async (storage) => {
      await keepAll(storage);
      expect(await take(storage, 3)).toEqual(["c", "a", "d"]);
      expect(await take(storage, 3)).toEqual(["b"]);
      expect(await take(storage, 3)).toEqual([]);
    },
  },
  {
    name: "keeps what was not taken",
    run: async (storage) => {
      await keepAll(storage);
      await take(storage, 2);
      expect(await keptLabels(storage, undefined, entries)).toEqual(["b", "d"]);
    },
  },
  {
    name: "takes records as they were added",
    run: async (storage) => {
      const entry = { ...toEntry("a"), hidden: '{"secret":1}', version: 7 };
      await keep(storage, entries, [entry]);
      const [taken] = await storage.transaction((tx) => tx.take(entries, 1));
      expect(taken && storedPart(taken)).toEqual(storedPart(entry));
    },
  },
  {
    name: "gives back what was taken by a transaction that is undone",
    run: async (storage) => {
      await keepAll(storage);
      const undone = storage.transaction(async (tx) => {
        await tx.take(entries, 2);
        throw new RangeError("undo");
      });
      await rejectionOf(undone, RangeError);
      expect(await take(storage, 10)).toEqual(added);
    },
  },
  {
    name: "takes what its own transaction added, after what was there",
    run: async (storage) => {
      await keep(storage, entries, [toEntry("z")]);
      const taken = await storage.transaction(async (tx) => {
        await tx.insert(globalScope, entries, [toEntry("a")]);
        return tx.take(entries, 10);
      });
      expect(labelsOf(taken)).toEqual(["z", "a"]);
    },
  },
  {
    name: "gives no record to two that take at the same time",
    run: async (storage) => {
      const labels = Array.from({ length: 40 }, (_, index) => `e${index}`);
      await keep(storage, entries, labels.map(toEntry));
      const taken = await Promise.all(Array.from({ length: 10 }, () => take(storage, 4)));
      expect(taken.flat().sort()).toEqual(labels.sort());
    },
  },
  {
    name: "leases what was added first, to one at a time",
    run: async (storage) => {
      await keepAll(storage);
      expect(labelsOf(await lease(storage, 3))).toEqual(["c", "a", "d"]);
      expect(labelsOf(await lease(storage, 3))).toEqual(["b"]);
      expect(await lease(storage, 3)).toEqual([]);
    },
  },
  {
    name: "leases again what nobody removed in time, before what came later",
    run: async (storage) => {
      await keepAll(storage);
      await lease(storage, 2);
      expect(labelsOf(await lease(storage, 1, until))).toEqual(["d"]);
      expect(labelsOf(await lease(storage, 2, until + 1))).toEqual(["c", "a"]);
    },
  },
  {
    name: "keeps what is leased until it is removed",
    run: async (storage) => {
      await keepAll(storage);
      const [first, second] = await lease(storage, 2);
      const removed = await removeLeased(storage, [second as LogRecord]);
      expect(removed).toEqual([second?.position]);
      expect(await keptLabels(storage, undefined, entries)).toEqual(["b", "c", "d"]);
      expect(first && storedPart(first)).toEqual(storedPart(toEntry("c")));
    },
  },
  {
    name: "removes nothing that somebody else has leased since, or that is gone",
    run: async (storage) => {
      await keepAll(storage);
      const before = await lease(storage, 2);
      const after = await lease(storage, 1, until + 1);
      expect(await removeLeased(storage, before)).toEqual([before[1]?.position]);
      expect(await removeLeased(storage, before)).toEqual([]);
      expect(await removeLeased(storage, after, until + 30_001)).toEqual([before[0]?.position]);
      expect(await keptLabels(storage, undefined, entries)).toEqual(["b", "d"]);
    },
  },
  {
    name: "leases and takes no more records than have so many bytes, and one however large it is",
    run: async (storage) => {
      const sized = (label: string, text: string): RecordToStore => ({
        ...toEntry(label),
        json: JSON.stringify({ label, text }),
      });
      const large = "€".repeat(1_000);
      await keep(storage, entries, [
        sized("a", ""),
        sized("b", large),
        sized("c", ""),
        sized("d", large),
        sized("e", ""),
        sized("f", ""),
      ]);
      const leaseBytes = (maxBytes: number): Promise<readonly LogRecord[]> =>
        storage.transaction((tx) => tx.lease(entries, { limit: 4, maxBytes, now, until }));
      expect(labelsOf(await leaseBytes(3_000))).toEqual(["a", "b"]);
      expect(labelsOf(await storage.transaction((tx) => tx.take(entries, 1, 3_000)))).toEqual(["a"]);
      expect(labelsOf(await leaseBytes(1))).toEqual(["c"]);
      expect(labelsOf(await leaseBytes(1))).toEqual(["d"]);
      expect(labelsOf(await leaseBytes(10_000))).toEqual(["e", "f"]);
      const takeBytes = (maxBytes: number): Promise<readonly LogRecord[]> =>
        storage.transaction((tx) => tx.take(entries, 10, maxBytes));
      expect(labelsOf(await takeBytes(3_100))).toEqual(["b", "c", "d"]);
      expect(labelsOf(await takeBytes(1_000_000))).toEqual(["e", "f"]);
      expect(labelsOf(await takeBytes(1_000_000))).toEqual([]);
    },
  },
  {
    name: "gives no lease that an undone transaction got",
    run: async (storage) => {
      await keepAll(storage);
      const undone = storage.transaction(async (tx) => {
        await tx.lease(entries, { limit: 2, now, until });
        throw new RangeError("undo");
      });
      await rejectionOf(undone, RangeError);
      expect(labelsOf(await lease(storage, 10))).toEqual(added);
    },
  },
  {
    name: "leases no record to two at the same time",
    run: async (storage) => {
      const labels = Array.from({ length: 40 }, (_, index) => `e${index}`);
      await keep(storage, entries, labels.map(toEntry));
      const leased = await Promise.all(Array.from({ length: 10 }, () => lease(storage, 4)));
      expect(labelsOf(leased.flat()).toSorted()).toEqual(labels.toSorted());
    },
  },
  {
    name: "gives each record a position of its own, greater than all before it, also of those that are gone",
    run: async (storage) => {
      await keepAll(storage);
      const first = await lease(storage, 10);
      await removeLeased(storage, first);
      await keep(storage, entries, [toEntry("e")]);
      const second = await storage.transaction((tx) => tx.take(entries, 1));
      const positions = [...first, ...second].map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b));
    },
  },
  {
    name: "tells where its records are, in ranges without a gap, inside and outside of transactions",
    run: async (storage) => {
      expect(await storage.findPositions(entries)).toEqual([]);
      await keepAll(storage);
      const leased = await lease(storage, 10);
      const [first, second, third, last] = leased.map(({ position }) => position) as [number, number, number, number];
      expect(await storage.findPositions(entries)).toEqual([[first, last]]);
      await storage.transaction(async (tx) => {
        await tx.removeLeased(entries, [second], until);
        expect(await tx.findPositions(entries)).toEqual([
          [first, first],
          [third, last],
        ]);
      });
      expect(await storage.findPositions(entries)).toEqual([
        [first, first],
        [third, last],
      ]);
    },
  },
];
