import { type Kysely, sql } from "kysely";
import type { IdentityServiceOptions } from "latchkey";
import type { Storage } from "latchkey/ports";

type Hook = NonNullable<IdentityServiceOptions["onWrite"]>;
type Change = Parameters<Hook>[1];

/** A hook that records its calls, and adds a row to the host's table in their transaction. */
export interface HostHook {
  readonly onWrite: Hook;
  /** The changes of its calls. */
  readonly calls: Change[];
  /** Runs at its end; may throw. */
  atEnd: Hook;
  /** Creates the host's table; in-memory storages have none. */
  readonly open: (storage: Storage) => Promise<HostTable | undefined>;
}

/** A table of the host beside those of the service. */
export interface HostTable {
  /** The committed rows: action, family and id of the changes, in order. */
  readonly read: () => Promise<readonly string[]>;
}

/** A short description of a change. */
export const nameOf = ({ action, family, id = "" }: Pick<Change, "action" | "family" | "id">): string =>
  `${action} ${family} ${id}`;

/** Makes a hook. */
export function hostHook(): HostHook {
  let hasTable = false;
  let position = 0;
  const hook: HostHook = {
    calls: [],
    atEnd: () => undefined,
    async onWrite(tx, change) {
      hook.calls.push(change);
      if (hasTable) await sql`insert into host_writes values (${position++}, ${nameOf(change)})`.execute(handleOf(tx));
      await hook.atEnd(tx, change);
    },
    async open(storage) {
      if (storage.capabilities.hasHandle !== true) return undefined;
      const run = <T>(work: (db: Kysely<unknown>) => Promise<T>): Promise<T> =>
        storage.transaction(({ native }) => work(native as Kysely<unknown>));
      await run((db) => sql`create table if not exists host_writes (position integer, name text)`.execute(db));
      await run((db) => sql`delete from host_writes`.execute(db));
      hasTable = true;
      const read = sql<{ readonly name: string }>`select name from host_writes order by position`;
      return { read: async () => (await run((db) => read.execute(db))).rows.map(({ name }) => name) };
    },
  };
  return hook;
}

function handleOf(tx: object): Kysely<unknown> {
  return (tx as { readonly db: Kysely<unknown> }).db;
}
