import type { Principal } from "../http/authenticate/principal.js";
import { type BodyKind, checkAnyBody } from "../http/transport/read-body.js";
import type { OperationResult } from "../http/transport/write-response.js";
import type { TenantScope, TransactionOptions } from "../ports/storage.js";
import type { ApiRequest } from "../ports/transport.js";
import { etagOfText } from "../shared/text.js";
import { auditReasonHeader, decodeHeader, readAuditReason } from "./audit/audit-reason.js";
import { type AnyOperation, isInsideHost, type OperationCall } from "./operation.js";
import type { ServiceContext } from "./service-context.js";
import { runDryWrite, type Session, toWriteCall, type Work } from "./session.js";
import { writeWithApprovals } from "./write-with-approvals.js";

/** What is asked of an operation, once it is known who asks and for which tenant. */
export interface OperationInput {
  readonly principal: Principal | undefined;
  readonly scope: TenantScope;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly bodyKind: BodyKind;
  readonly ifMatch: string | undefined;
  readonly request?: ApiRequest | undefined;
  /** Why, as it was given: by a header where there is a request. */
  readonly auditReason?: string | undefined;
  /** Everything happens, is answered and is undone (docs/reference/wire.md#dry-run). */
  readonly isDryRun: boolean;
}

/** Runs an operation. @throws IdentityError when it refuses. */
export function runOperation(
  service: ServiceContext,
  session: Session,
  operation: AnyOperation,
  input: OperationInput,
): Promise<OperationResult> {
  const run = (): Promise<OperationResult> => runChecked(service, session, operation, input);
  const checking = checkAnyBody(input.body, operation.bulkLists);
  return checking === undefined ? run() : checking.then(run);
}

function runChecked(
  service: ServiceContext,
  session: Session,
  operation: AnyOperation,
  input: OperationInput,
): Promise<OperationResult> {
  const call: OperationCall = {
    service,
    principal: input.principal,
    scope: input.scope,
    params: input.params,
    body: input.body,
    bodyKind: input.bodyKind,
    ifMatch: input.ifMatch,
    request: input.request,
    auditReason: service.auditing && readReason(input),
    isDryRun: input.isDryRun,
    reader: session.reader,
    write: (work, options) => runWrite(call, session, work, options),
  };
  return input.isDryRun ? runDry(operation, call) : operation.run(call);
}

function readReason({ auditReason, request }: OperationInput): string | undefined {
  if (request === undefined || auditReason === undefined) return readAuditReason(auditReason, "auditReason");
  return readAuditReason(decodeHeader(auditReason), auditReasonHeader);
}

// The version that the record would have had may still become that of another content.
async function runDry(operation: AnyOperation, call: OperationCall): Promise<OperationResult> {
  const result = await operation.run(call);
  return result.etag === undefined ? result : { ...result, etag: etagOfText(result.json) };
}

function runWrite<T>(call: OperationCall, session: Session, work: Work<T>, options?: TransactionOptions): Promise<T> {
  if (call.isDryRun) return runDryWrite(call, session, work, options);
  // What the host has open cannot be begun anew, so that nobody is asked first.
  if (isInsideHost(call)) return session.transaction((tx) => work(toWriteCall(call, tx)));
  const preparing = call.service.auditing?.prepare();
  const write = (): Promise<T> => writeWithApprovals(call, session, work, options);
  return preparing === undefined ? write() : preparing.then(write);
}
