import type { Storage } from "latchkey/ports";
import { boundStorage } from "./bound-storage.js";

/** A storage that runs every transaction with the option `isLong`. */
export function longStorage<Native>(storage: Storage<Native>): Storage<Native> {
  const transaction: Storage<Native>["transaction"] = (work, options) => storage.transaction(work, { ...options, isLong: true });
  return { ...boundStorage(storage), transaction };
}
