import type { Storage } from "latchkey/ports";
import { boundStorage } from "./bound-storage.js";

/** A storage that is told of every transaction that it is long. */
export function longStorage<Native>(storage: Storage<Native>): Storage<Native> {
  const transaction: Storage<Native>["transaction"] = (work, options) => storage.transaction(work, { ...options, isLong: true });
  return { ...boundStorage(storage), transaction };
}
