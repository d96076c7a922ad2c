import { generalError } from "../errors/identity-error.js";
import type { Runtime } from "../ports/runtime.js";
import type { StorageReader, Transaction, TransactionOptions } from "../ports/storage.js";
import { KeyMutex, runWithRollback } from "../shared/async.js";
import type { Answers, ApprovalRequest, TransactionApprovals } from "./events/approvals.js";
import type { OperationCall, WriteCall } from "./operation.js";
import { cacheReads } from "./read-cache.js";
import type { ServiceContext } from "./service-context.js";

/** The reader and the transactions of an operation. */
export interface Session {
  readonly reader: StorageReader;
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions) => Promise<T>;
  /** The approval requests of a transaction in progress. Absent where receivers are not asked. */
  readonly asking?: TransactionApprovals | undefined;
}

/** Runs a call in a session. */
export type RunInSession = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

/** The session of a call with its own transactions. */
export function storageSession(service: ServiceContext): Session {
  return { reader: service.storage, transaction: (work, options) => service.storage.transaction(work, options) };
}

/** The session of a call inside a transaction: a failed call undoes only its own writes. */
export function transactionSession(tx: Transaction, asking?: TransactionApprovals): Session {
  return { reader: tx, transaction: (work) => tx.savepoint(() => work(tx)), asking };
}

function isolatedOptions(options: TransactionOptions = {}): TransactionOptions {
  return { isLong: options.isLong === true };
}

/** Work in a transaction. */
export type Work<T> = (call: WriteCall) => Promise<T>;

/** A call inside of a transaction. */
export function toWriteCall(call: OperationCall, tx: Transaction, asking?: TransactionApprovals): WriteCall {
  const write: WriteCall = { ...call, tx, reader: tx, asking, write: (work) => work(write) };
  return write;
}

/** A call in a new transaction, which reads each record once. */
export function startWriteCall(call: OperationCall, tx: Transaction, asking?: TransactionApprovals): WriteCall {
  return toWriteCall(call, cacheReads(tx), asking);
}

/** Runs work in a transaction in progress, and adds its approval requests there unless it fails. */
export async function runInsideHost<T>(call: OperationCall, { asking, transaction }: Session, work: Work<T>): Promise<T> {
  const own = asking && { ...asking, open: [] };
  const result = await transaction((tx) => work(toWriteCall(call, tx, own)));
  for (const request of own?.open ?? []) asking?.open.push(request);
  return result;
}

/** Returns the result of work in a transaction that is rolled back afterwards. */
export function runDryWrite<T>(call: OperationCall, session: Session, work: Work<T>, options?: TransactionOptions): Promise<T> {
  return runWithRollback<T, T>((rollBack) =>
    session.transaction(async (tx) => rollBack(await work(toWriteCall(call, tx))), isolatedOptions(options)),
  );
}

const noAnswers: Answers = new Map();

/** The approvals of a new transaction. */
export function startApprovals({ eventSettings }: ServiceContext, answers: Answers = noAnswers): TransactionApprovals {
  return { answers, open: [], settings: eventSettings.startTransaction() };
}

/** A session whose transactions run one after the other, since savepoints of parallel calls must not overlap. */
export function sequentialSession(session: Session): Session {
  const turns = new KeyMutex();
  return { ...session, transaction: (work) => turns.run("session", () => session.transaction(work)) };
}

/** The approval requests that receivers must answer before anything is stored. */
class Questions {
  readonly requests: readonly ApprovalRequest[];
  constructor(requests: readonly ApprovalRequest[]) {
    this.requests = requests;
  }
}

/** The most rounds of work whose approval requests differ from those of the round before. */
const maxRounds = 3;

/**
 * Runs work in a transaction and records every id and instant that it generates. When receivers must approve an event
 * (docs/reference/webhooks.md#transactional-events), it rolls back, asks them, and repeats the work with the same ids and
 * instants: the approved events are the stored ones. @throws IdentityError 504 `[WebhookTransactionException]` when too few
 * agreed.
 */
export async function writeWithApprovals<T>(
  call: OperationCall,
  session: Session,
  work: Work<T>,
  options?: TransactionOptions,
): Promise<T> {
  const isolated: Session["transaction"] = (run) => session.transaction(run, isolatedOptions(options));
  // A hook of the host may wait or write its own rows, so its transaction is not shared.
  let transaction: Session["transaction"] = call.service.auditing?.hasHook
    ? isolated
    : (run) => session.transaction(run, options);
  // Rolls back when receivers must be asked first: no transaction waits for them.
  const runAsking = (answers: Answers, toRuntime: (runtime: Runtime) => Runtime): Promise<T | Questions> =>
    runWithRollback<T, Questions>((rollBack) =>
      transaction(async (tx) => {
        const asking = startApprovals(call.service, answers);
        // A storage may run this again: each run restarts the recording.
        const own = withRuntime(call, toRuntime(call.service.runtime));
        const result = await work(startWriteCall(own, tx, asking));
        return asking.open.length > 0 ? rollBack(new Questions(asking.open)) : result;
      }),
    );
  for (let round = 1; round <= maxRounds; round++) {
    const tape = createRuntimeTrace();
    const recorded = await runAsking(noAnswers, (runtime) => recordRuntime(runtime, tape));
    if (!(recorded instanceof Questions)) return recorded;
    transaction = isolated;
    const answers = await call.service.askReceivers(recorded.requests);
    const replayed = await runAsking(answers, (runtime) => replayRuntime(runtime, tape));
    if (!(replayed instanceof Questions)) return replayed;
  }
  throw generalError("WebhookTransactionException");
}

function withRuntime(call: OperationCall, runtime: Runtime): OperationCall {
  return { ...call, service: { ...call.service, runtime } };
}

type Source = "clock" | "newId" | "random";

/** The values that work got from its runtime, in order. */
type RuntimeTrace = Readonly<Record<Source, unknown[]>>;

function createRuntimeTrace(): RuntimeTrace {
  return { clock: [], newId: [], random: [] };
}

/** A runtime that records its results on an emptied tape. */
function recordRuntime(runtime: Runtime, tape: RuntimeTrace): Runtime {
  for (const values of Object.values(tape)) values.length = 0;
  const note = <T>(source: Source, value: T): T => {
    tape[source].push(value);
    return value;
  };
  return {
    ...runtime,
    clock: () => note("clock", runtime.clock()),
    newId: () => note("newId", runtime.newId()),
    random: (length) => note("random", runtime.random(length)),
  };
}

/** A runtime that replays the tape, so that the same work has the same result, and then generates new values. */
function replayRuntime(runtime: Runtime, tape: RuntimeTrace): Runtime {
  const used = { clock: 0, newId: 0, random: 0 };
  const next = <T>(source: Source, fresh: () => T): T =>
    used[source] < tape[source].length ? (tape[source][used[source]++] as T) : fresh();
  return {
    ...runtime,
    clock: () => next("clock", runtime.clock),
    newId: () => next("newId", runtime.newId),
    random: (length) => next("random", () => runtime.random(length)),
  };
}
