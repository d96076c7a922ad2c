import { fieldError } from "../errors/identity-error.js";
import type { Principal } from "../http/authenticate/principal.js";
import type { StreamedBody } from "../http/transport/open-stream.js";
import { type BodyKind, checkAnyBody } from "../http/transport/read-body.js";
import type { OperationResult } from "../http/transport/write-response.js";
import { ReferenceViolation, type TenantScope, type TransactionOptions } from "../ports/storage.js";
import type { ApiRequest } from "../ports/transport.js";
import { etagOfText } from "../shared/text.js";
import { type AnyOperation, isInsideHost, type OperationCall } from "./operation.js";
import type { ServiceContext } from "./service-context.js";
import { runDryWrite, runInsideHost, type Session, type Work, writeWithApprovals } from "./session.js";

/** The input of an operation, after authentication and resolution of the tenant. */
interface OperationInput {
  readonly session: Session;
  readonly principal: Principal | undefined;
  readonly scope: TenantScope;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly bodyKind: BodyKind;
  readonly stream?: StreamedBody | undefined;
  readonly ifMatch: string | undefined;
  readonly request?: ApiRequest | undefined;
  /** The reason as given: the raw header of a request. */
  readonly auditReason?: string | undefined;
  /** Runs everything, returns the answer and rolls back (docs/reference/wire.md#dry-run). */
  readonly isDryRun: boolean;
}

/** Runs an operation. @throws IdentityError when it refuses. */
export function runOperation(service: ServiceContext, operation: AnyOperation, input: OperationInput): Promise<OperationResult> {
  const run = (): Promise<OperationResult> => runChecked(service, operation, input);
  const checking = checkAnyBody(service.runtime, input.body, operation.bulkLists);
  return checking === undefined ? run() : checking.then(run);
}

const administered = new WeakMap<ServiceContext, ServiceContext>();

// A console asks administrators for reasons, so the audit log records their changes in any case.
function auditedFor(service: ServiceContext, principal: Principal | undefined): ServiceContext {
  if (principal?.kind !== "administrator" || service.auditing === service.administratorAuditing) return service;
  const known = administered.get(service) ?? { ...service, auditing: service.administratorAuditing };
  administered.set(service, known);
  return known;
}

function runChecked(shared: ServiceContext, operation: AnyOperation, input: OperationInput): Promise<OperationResult> {
  const { session } = input;
  const service = auditedFor(shared, input.principal);
  const call: OperationCall = {
    service,
    principal: input.principal,
    scope: input.scope,
    params: input.params,
    body: input.body,
    bodyKind: input.bodyKind,
    stream: input.stream,
    ifMatch: input.ifMatch,
    request: input.request,
    auditReason: service.auditing && readReason(input),
    isDryRun: input.isDryRun,
    reader: session.reader,
    write: (work, options) => runWrite(call, session, work, options),
  };
  const run = (): Promise<OperationResult> => (input.isDryRun ? runDry(operation, call) : operation.run(call));
  return run().catch((error: unknown) => runAgain(call, error, run));
}

// Another call may remove a record, such as a user, between this one's read and write: a second run finds it missing.
function runAgain(call: OperationCall, error: unknown, run: () => Promise<OperationResult>): Promise<OperationResult> {
  const canRepeat = error instanceof ReferenceViolation && call.stream === undefined && !isInsideHost(call);
  if (!canRepeat) throw error;
  return run();
}

function readReason({ auditReason, request }: OperationInput): string | undefined {
  if (request === undefined || auditReason === undefined) return readAuditReason(auditReason, "auditReason");
  return readAuditReason(decodeHeader(auditReason), auditReasonHeader);
}

// A dry run stores nothing: the version in its ETag would later be that of another write. A digest of the text is not.
async function runDry(operation: AnyOperation, call: OperationCall): Promise<OperationResult> {
  const result = await operation.run(call);
  return result.etag === undefined ? result : { ...result, etag: etagOfText(result.json) };
}

function runWrite<T>(call: OperationCall, session: Session, work: Work<T>, options?: TransactionOptions): Promise<T> {
  if (call.isDryRun) return runDryWrite(call, session, work, options);
  // The host's open transaction cannot restart, so receivers are not asked first.
  if (isInsideHost(call)) return runInsideHost(call, session, work);
  const preparing = call.service.auditing?.prepare();
  const write = (): Promise<T> => writeWithApprovals(call, session, work, options);
  return preparing === undefined ? write() : preparing.then(write);
}

const auditReasonHeader = "X-Audit-Reason";

const maxReasonLength = 1_000;

/**
 * The reason of a caller for the audit log; undefined for none. `path` names it in refusals.
 * @throws IdentityError 400 `[invalid]` for control characters and unpaired surrogates, `[tooLong]` above 1,000 UTF-16 units.
 */
function readAuditReason(given: string | undefined, path: string): string | undefined {
  const reason = given?.trim() ?? "";
  if (/[\p{Cc}\p{Cs}]/u.test(reason)) throw fieldError("invalid", path);
  if (reason.length > maxReasonLength) throw fieldError("tooLong", path);
  return reason === "" ? undefined : reason;
}

/** The text of a header that runtimes read as Latin-1: decoded as UTF-8 where it is valid UTF-8. */
function decodeHeader(value: string): string {
  if (/[^\0-\xff]/.test(value)) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}
