import type { StorageReader, Transaction, TransactionOptions } from "../ports/storage.js";
import { KeyMutex, runWithRollback } from "../shared/async.js";
import type { TransactionApprovals } from "./events/approvals.js";
import type { OperationCall, WriteCall } from "./operation.js";
import type { ServiceContext } from "./service-context.js";

/** Where an operation reads, and how it gets a transaction. */
export interface Session {
  readonly reader: StorageReader;
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions) => Promise<T>;
}

/** The session of a call of its own. */
export function storageSession(service: ServiceContext): Session {
  return { reader: service.storage, transaction: (work, options) => service.storage.transaction(work, options) };
}

/** The session of a call inside a transaction in progress: a call that fails undoes only itself. */
export function transactionSession(tx: Transaction): Session {
  return { reader: tx, transaction: (work) => tx.savepoint(() => work(tx)) };
}

/** The options of a transaction that has nobody else's work in it. */
export function isolatedOptions(options: TransactionOptions = {}): TransactionOptions {
  return { isLong: options.isLong === true };
}

/** Something that is done in a transaction. */
export type Work<T> = (call: WriteCall) => Promise<T>;

/** A call inside of a transaction. */
export function toWriteCall(call: OperationCall, tx: Transaction, asking?: TransactionApprovals): WriteCall {
  const write: WriteCall = { ...call, tx, reader: tx, asking, write: (work) => work(write) };
  return write;
}

/** The result of work in a transaction that is rolled back afterwards. */
export function runDryWrite<T>(call: OperationCall, session: Session, work: Work<T>, options?: TransactionOptions): Promise<T> {
  return runWithRollback<T, T>((rollBack) =>
    session.transaction(async (tx) => rollBack(await work(toWriteCall(call, tx))), isolatedOptions(options)),
  );
}

/** A session whose transactions run one after the other: savepoints nest, so calls that start side by side must not overlap. */
export function sequentialSession(session: Session): Session {
  const turns = new KeyMutex();
  return { reader: session.reader, transaction: (work) => turns.run("session", () => session.transaction(work)) };
}
