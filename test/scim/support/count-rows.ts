// A storage that counts the rows that it returns and that it is given.
import { memoryStorage } from "latchkey/memory";
import type { Storage } from "latchkey/ports";
import { watchStorage } from "../../support/watched-storage.js";

/** How many rows were read and written. */
export interface RowCounts {
  read: number;
  written: number;
}

const reads: ReadonlySet<string> = new Set(["retrieve", "find", "findIds", "findPositions", "search"]);

/** Returns a storage in memory, and what it counts. */
export function countRows(): { readonly storage: Storage; readonly counts: RowCounts } {
  const counts = { read: 0, written: 0 };
  const watched = watchStorage(memoryStorage(), { onWrite: () => void counts.written++ });
  return { counts, storage: countReads(watched as Storage, counts) };
}

type Call = (...args: unknown[]) => unknown;

function countReads<Target extends object>(target: Target, counts: RowCounts): Target {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const call = value as Call;
      if (name === "transaction")
        return (work: Call, ...more: unknown[]) => call((tx: object) => work(countReads(tx, counts)), ...more);
      if (name === "snapshot") return (work: Call) => call((reader: object) => work(countReads(reader, counts)));
      if (!reads.has(String(name))) return call.bind(target);
      return async (...args: unknown[]) => {
        const found = await call.apply(target, args);
        counts.read += sizeOf(found);
        return found;
      };
    },
  });
}

function sizeOf(found: unknown): number {
  if (found === undefined) return 0;
  if (Array.isArray(found)) return found.length;
  const lists = Object.values(found as object).filter(Array.isArray);
  return lists.length === 0 ? 1 : lists.reduce((sum, list) => sum + list.length, 0);
}
