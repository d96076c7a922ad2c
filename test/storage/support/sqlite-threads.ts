import { Worker } from "node:worker_threads";
import type { Kysely } from "kysely";
import { globalScope, type Storage } from "latchkey/ports";
import { type SqliteStorageOptions, sqliteStorage } from "latchkey/sqlite";
import { afterEach, vi } from "vitest";
import { tables, tenants, tenantsToStart } from "../../contract/storage/tables.js";

/** Opens storages with the tables of the contract; each closes after its test. The test file spies on `node:worker_threads`. */
export function sqliteOpener(): (options: SqliteStorageOptions) => Promise<Storage<Kysely<unknown>>> {
  const toClose: Storage<unknown>[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    for (const storage of toClose.splice(0)) await storage.close();
    vi.mocked(Worker).mockClear();
  });
  return async (options) => {
    const storage = sqliteStorage(options);
    toClose.push(storage);
    await storage.open(tables);
    await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
    return storage;
  };
}

/** The threads that were started, in order. */
export const threads = (): readonly Worker[] => vi.mocked(Worker).mock.results.map(({ value }) => value as Worker);
