import { AsyncLocalStorage } from "node:async_hooks";
import { generalError, type IdentityError } from "../errors/identity-error.js";
import type { Principal } from "../http/authenticate/principal.js";
import type { InProcessApi } from "../in-process.js";
import type { TransactionApprovals } from "../operations/events/approvals.js";
import { recordAnswers } from "../operations/outbox/publish-event.js";
import type { ServiceContext } from "../operations/service-context.js";
import { type Session, sequentialSession, transactionSession } from "../operations/session.js";
import type { Runtime } from "../ports/runtime.js";
import type { Storage, Transaction } from "../ports/storage.js";
import { within } from "../shared/async.js";

/** Operations of a transaction besides its calls. */
export interface TransactionControl {
  /**
   * Asks the receivers of transactional events to approve the changes so far. A further call asks about later events, and again
   * about refused ones. The transaction stays open meanwhile. Without this call, no receiver is asked.
   * @throws IdentityError 504 `[WebhookTransactionException]` when too few approved, with their errors.
   */
  askReceivers(): Promise<void>;
  /** Returns the in-process API for one caller, inside the transaction. */
  as(principal: Principal): InProcessApi;
}

/**
 * The in-process API inside a transaction. On SQLite and Postgres `db` is a Kysely handle for your own rows, created when first
 * read; the memory storage has none.
 */
export type IdentityTransaction<Native> = InProcessApi &
  TransactionControl &
  ([Native] extends [undefined] ? unknown : { readonly db: Native });

/** Dependencies of the API in a transaction. */
export interface TransactionParts {
  /** The pending approvals; undefined when no receiver is asked, as in a dry run. */
  readonly asking: TransactionApprovals | undefined;
  readonly ask: ServiceContext["askReceivers"];
  /** Whether the storage's transactions have a handle. */
  readonly hasHandle: boolean;
  /** Creates the API on a session, for the host by default. */
  readonly toApi: (session: Session, principal?: Principal) => InProcessApi;
}

/** Creates the API in a host's transaction. */
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
  // A getter, because reading `native` creates the handle.
  if (hasHandle) Object.defineProperty(api, "db", { enumerable: true, get: () => tx.native });
  return Object.freeze(api) as IdentityTransaction<Native>;
}

/** Creates a session that runs calls inside a transaction one after the other. */
export function toSession(tx: Transaction, asking?: TransactionApprovals): Session {
  return sequentialSession(transactionSession(tx, asking));
}

const advice = "Inside identity.transaction and onWrite, call through its tx: a call outside of it would wait for its end.";

/** Creates the refusal of a call to a closed service. */
export function createClosedError(): IdentityError {
  return generalError("storageUnavailable", "The service closes or is closed: it takes no more calls.");
}

/** Runs the calls of the host. Refuses those that would deadlock with its own transaction, and all once the service closes. */
export class HostCalls {
  readonly #lives = new AsyncLocalStorage<{ isOver: boolean }>();
  readonly #drained = Promise.withResolvers<void>();
  #running = 0;
  #isClosing = false;

  /** Whether the caller is inside of a transaction. */
  get isInside(): boolean {
    return this.#lives.getStore()?.isOver === false;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Runs a call that `close` waits for. @throws IdentityError 503 once the service closes. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosing) throw createClosedError();
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      if (this.#isClosing && this.#running === 0) this.#drained.resolve();
    }
  }

  /** The same outside of transactions. @throws Error inside of one. */
  async runOutside<T>(work: () => Promise<T>): Promise<T> {
    this.assertNone();
    return this.run(work);
  }

  /** Returns functions that run as calls outside of transactions. */
  wrap<Api extends object>(api: Api): Api {
    const wrapped = Object.entries(api).map(([name, work]: [string, (...given: unknown[]) => Promise<unknown>]) => [
      name,
      (...given: unknown[]) => this.runOutside(() => work(...given)),
    ]);
    return Object.freeze(Object.fromEntries(wrapped));
  }

  /** Refuses new calls, and waits for those under way: at most for the timeout. */
  async close({ logger, timers }: Runtime, timeoutMs: number): Promise<void> {
    this.#isClosing = true;
    if (this.#running === 0) return;
    await within(timers, timeoutMs, { work: this.#drained.promise, late: undefined });
    if (this.#running > 0) logger.warn({ calls: this.#running }, `close() does not wait longer than ${timeoutMs} ms for calls.`);
  }

  createError(): Error {
    return new Error(advice);
  }

  /** @throws Error inside of a transaction. */
  assertNone(): void {
    if (this.isInside) throw this.createError();
  }

  /** Runs work in a transaction; calls outside of the transaction are refused meanwhile. */
  transaction<Native, T>(storage: Storage<Native>, work: (tx: Transaction<Native>) => Promise<T>): Promise<T> {
    return storage.transaction((tx) => this.runInside(() => work(tx)), { mayCollideLate: true });
  }

  /** Runs the host's part of an open transaction; calls outside of the transaction are refused meanwhile. */
  runInside<T>(work: () => Promise<T>): Promise<T> {
    // Marked at its end, because async work that the host left running is then outside of the transaction.
    const life = { isOver: false };
    return this.#lives.run(life, () =>
      work().finally(() => {
        life.isOver = true;
      }),
    );
  }
}
