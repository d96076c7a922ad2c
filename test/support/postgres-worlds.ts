import { type Storage, StorageUnavailable } from "latchkey/storage";
import { afterAll } from "vitest";
import { postgresUrl, testDatabase } from "./postgres.js";

interface Kept {
  readonly schema: string;
  readonly storage: Storage;
  isOpen: boolean;
}

/** The storage of every test that {@link reusedStorages} makes, where a test file asks for Postgres and there is no server for all. */
export function embeddedPostgres(): readonly (readonly [name: string, open: () => Storage])[] {
  return postgresUrl === undefined ? [["Postgres", reusedStorages()]] : [];
}

/**
 * Answers a function that makes storages on Postgres. To make the tables takes longer than most tests, so the tests of one file
 * use the same ones, emptied in between; they are removed when the file ends.
 */
export function reusedStorages(): () => Storage {
  const database = testDatabase();
  const all: Kept[] = [];
  const free: Kept[] = [];
  afterAll(() => Promise.all(all.map(({ storage }) => storage.close())));
  const make = (): Kept => {
    const schema = database.newSchema();
    const kept = { schema, storage: database.newStorage({ schema, maxConnections: 5 }), isOpen: false };
    all.push(kept);
    return kept;
  };
  return () => {
    const kept = free.pop() ?? make();
    return lend(kept, async () => {
      await database.pool().query(empty(kept.schema));
      free.push(kept);
    });
  };
}

// The tables made last refer to those made first.
const empty = (schema: string): string => `do $$ declare name text; begin
  for name in select oid::regclass from pg_class
    where relnamespace = '${schema}'::regnamespace and relkind = 'r' and relname <> 'latchkey_schema_versions' order by oid desc
  loop execute 'delete from ' || name; end loop; end $$`;

function lend(kept: Kept, giveBack: () => Promise<void>): Storage {
  const { storage } = kept;
  let isClosed = false;
  const ask = <T>(call: () => Promise<T>): Promise<T> =>
    isClosed ? Promise.reject(new StorageUnavailable("The storage is closed.")) : call();
  return {
    capabilities: storage.capabilities,
    async open(tables) {
      if (!kept.isOpen) await storage.open(tables);
      kept.isOpen = true;
    },
    retrieve: (...call) => ask(() => storage.retrieve(...call)),
    find: (...call) => ask(() => storage.find(...call)),
    findIds: (...call) => ask(() => storage.findIds(...call)),
    findPositions: (...call) => ask(() => storage.findPositions(...call)),
    search: (...call) => ask(() => storage.search(...call)),
    transaction: (work) => ask(() => storage.transaction(work)),
    ping: () => ask(() => storage.ping()),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await giveBack();
    },
  };
}
