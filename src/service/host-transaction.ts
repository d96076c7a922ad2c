import type { InProcessApi } from "../in-process.js";
import { type Session, sequentialSession, transactionSession } from "../operations/session.js";
import type { Transaction } from "../ports/storage.js";

/**
 * The in-process API inside a transaction. On SQLite and Postgres `db` is a Kysely handle for your own rows, made when it is first read;
 * the memory storage has none.
 */
export type IdentityTransaction<Native> = InProcessApi & ([Native] extends [undefined] ? unknown : { readonly db: Native });

/** The API in a host's transaction, with its handle where the storage has one. `toApi` makes the API on a session. */
export function toHostTransaction<Native>(
  tx: Transaction<Native>,
  hasHandle: boolean,
  toApi: (session: Session) => InProcessApi,
): IdentityTransaction<Native> {
  const api = toApi(sequentialSession(transactionSession(tx)));
  if (!hasHandle) return Object.freeze(api) as IdentityTransaction<Native>;
  const withHandle = {
    ...api,
    get db() {
      return tx.native;
    },
  };
  return Object.freeze(withHandle) as IdentityTransaction<Native>;
}
