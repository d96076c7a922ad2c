import { AsyncLocalStorage } from "node:async_hooks";
import type { Principal } from "../http/authenticate/principal.js";
import type { InProcessApi } from "../in-process.js";
import type { TransactionApprovals } from "../operations/events/approvals.js";
import { recordAnswers } from "../operations/outbox/publish-event.js";
import type { ServiceContext } from "../operations/service-context.js";
import { type Session, sequentialSession, transactionSession } from "../operations/session.js";
import type { Storage, Transaction } from "../ports/storage.js";

/** What a transaction can do besides its calls. */
export interface TransactionControl {
  /**
   * Asks the receivers of transactional events whether what the calls of the transaction have done so far may be stored. A further call asks
   * about later events, and again about all that were refused. The transaction stays open meanwhile. Without this call, nobody is asked.
   * @throws IdentityError 504 `[WebhookTransactionException]` when too few agreed, with their errors.
   */
  askReceivers(): Promise<void>;
  /** The in-process API for one caller, inside the transaction. */
  as(principal: Principal): InProcessApi;
}

/**
 * The in-process API inside a transaction. On SQLite and Postgres `db` is a Kysely handle for your own rows, made when it is first read;
 * the memory storage has none.
 */
export type IdentityTransaction<Native> = InProcessApi &
  TransactionControl &
  ([Native] extends [undefined] ? unknown : { readonly db: Native });

/** What the API in a transaction is made of. */
export interface TransactionParts {
  /** The questions to receivers; undefined where nobody is asked, as in a dry run. */
  readonly asking: TransactionApprovals | undefined;
  /** Asks receivers. */
  readonly ask: ServiceContext["askReceivers"];
  /** Whether the storage has a handle on its transactions. */
  readonly hasHandle: boolean;
  /** Makes the API on a session, for the host where no principal is given. */
  readonly toApi: (session: Session, principal?: Principal) => InProcessApi;
}

/** The API in a host's transaction, with its handle where the storage has one. */
export function toHostTransaction<Native>(
  tx: Transaction<Native>,
  { ask, asking, hasHandle, toApi }: TransactionParts,
): IdentityTransaction<Native> {
  const session = toSession(tx, asking);
  const askReceivers = async (): Promise<void> =>
    session.transaction(async () => {
      const requests = [...(asking?.open ?? [])];
      if (requests.length === 0) return;
      await tx.settle?.();
      await recordAnswers(tx, await ask(requests));
      asking?.open.splice(0, requests.length);
    });
  const api = Object.assign(toApi(session), { askReceivers, as: (principal: Principal) => toApi(session, principal) });
  // Read when it is used: the storage makes a handle then.
  if (hasHandle) Object.defineProperty(api, "db", { enumerable: true, get: () => tx.native });
  return Object.freeze(api) as IdentityTransaction<Native>;
}

/** The session of calls inside a transaction, one after the other. */
export function toSession(tx: Transaction, asking?: TransactionApprovals): Session {
  return sequentialSession(transactionSession(tx, asking));
}

const advice = "Inside identity.transaction and onWrite, call through its tx: a call outside of it would wait for its end.";

/** Runs the host's own transactions, and refuses what would wait for one of them forever. */
export class HostTransactions {
  readonly #lives = new AsyncLocalStorage<{ isOver: boolean }>();

  /** Whether the caller is inside of a transaction. */
  get isOpen(): boolean {
    return this.#lives.getStore()?.isOver === false;
  }

  /** The error of a call that would wait. */
  createError(): Error {
    return new Error(advice);
  }

  /** @throws Error inside of a transaction. */
  assertNone(): void {
    if (this.isOpen) throw this.createError();
  }

  /** Runs work in a transaction inside of which nothing may wait for another one. */
  run<Native, T>(storage: Storage<Native>, work: (tx: Transaction<Native>) => Promise<T>): Promise<T> {
    return storage.transaction((tx) => this.runInside(() => work(tx)), { mayCollideLate: true });
  }

  /** Runs the part of the host in a transaction that is open, inside of which nothing may wait for another one. */
  runInside<T>(work: () => Promise<T>): Promise<T> {
    // Marked as over at its end: what the host started inside and lets go on afterwards is outside.
    const life = { isOver: false };
    return this.#lives.run(life, () =>
      work().finally(() => {
        life.isOver = true;
      }),
    );
  }
}
