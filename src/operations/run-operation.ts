import type { Principal } from "../authenticate/principal.js";
import type { StorageReader, TenantScope, Transaction } from "../ports/storage.js";
import type { ApiRequest } from "../ports/transport.js";
import { checkBody } from "../transport/check-body.js";
import type { BodyKind } from "../transport/read-body.js";
import type { OperationResult } from "../transport/write-response.js";
import { etagOfText } from "../values/etag.js";
import type { AnyOperation, OperationCall, WriteCall } from "./operation.js";
import type { ServiceContext } from "./service-context.js";

/** What is asked of an operation, once it is known who asks and for which tenant. */
export interface OperationInput {
  readonly principal: Principal | undefined;
  readonly scope: TenantScope;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly bodyKind: BodyKind;
  readonly ifMatch: string | undefined;
  readonly request?: ApiRequest | undefined;
  /** Everything happens, is answered and is undone (decisions.md, Dry run). */
  readonly isDryRun: boolean;
}

/** Where an operation reads, and how it gets a transaction. */
export interface Session {
  readonly reader: StorageReader;
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

/** The session of a call of its own. */
export function storageSession(service: ServiceContext): Session {
  return { reader: service.storage, transaction: (work) => service.storage.transaction(work) };
}

/** The session of a call inside a transaction in progress: a call that fails undoes only itself. */
export function transactionSession(tx: Transaction): Session {
  return { reader: tx, transaction: (work) => tx.savepoint(() => work(tx)) };
}

/** Runs an operation. @throws IdentityError when it refuses. */
export function runOperation(
  service: ServiceContext,
  session: Session,
  operation: AnyOperation,
  input: OperationInput,
): Promise<OperationResult> {
  if (input.body !== undefined) checkBody(input.body);
  const call: OperationCall = {
    service,
    principal: input.principal,
    scope: input.scope,
    params: input.params,
    body: input.body,
    bodyKind: input.bodyKind,
    ifMatch: input.ifMatch,
    request: input.request,
    isDryRun: input.isDryRun,
    reader: session.reader,
    write: (work) => runWrite(session, input.isDryRun, (tx) => work(toWriteCall(call, tx))),
  };
  return input.isDryRun ? runDry(operation, call) : operation.run(call);
}

// The version that the record would have had may still become that of another content.
async function runDry(operation: AnyOperation, call: OperationCall): Promise<OperationResult> {
  const result = await operation.run(call);
  return result.etag === undefined ? result : { ...result, etag: etagOfText(result.json) };
}

function toWriteCall(call: OperationCall, tx: Transaction): WriteCall {
  const write: WriteCall = { ...call, tx, reader: tx, write: (work) => work(write) };
  return write;
}

class DryRunEnd extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super("The dry run is over.");
    this.result = result;
  }
}

async function runWrite<T>(session: Session, isDryRun: boolean, work: (tx: Transaction) => Promise<T>): Promise<T> {
  if (!isDryRun) return session.transaction(work);
  try {
    return await session.transaction<T>(async (tx) => {
      throw new DryRunEnd(await work(tx));
    });
  } catch (error) {
    if (error instanceof DryRunEnd) return error.result as T;
    throw error;
  }
}
