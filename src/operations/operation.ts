import type { IdentityError } from "../errors/identity-error.js";
import type { Principal } from "../http/authenticate/principal.js";
import type { StreamedBody, StreamedBodyRow } from "../http/transport/open-stream.js";
import type { BodyKind } from "../http/transport/read-body.js";
import type { OperationResult } from "../http/transport/write-response.js";
import type { DirectoryContext } from "../ports/directory.js";
import {
  globalScope,
  type StorageReader,
  type TenantScope,
  type Transaction,
  type TransactionOptions,
} from "../ports/storage.js";
import type { ApiRequest } from "../ports/transport.js";
import type { BulkPath } from "../shared/find-unsafe-value.js";
import type { TransactionApprovals } from "./events/approvals.js";
import type { Origin } from "./events/recorded-event.js";
import type { ServiceContext } from "./service-context.js";

/** One call of an operation, over HTTP or in process. */
export interface OperationCall {
  readonly service: ServiceContext;
  readonly principal: Principal | undefined;
  readonly scope: TenantScope;
  /** Path and query parameters. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  /** The kind of document in the body; decides how PATCH reads it. */
  readonly bodyKind: BodyKind;
  /** The unread body of an operation with a `streamedBody`. */
  readonly stream?: StreamedBody | undefined;
  readonly ifMatch: string | undefined;
  /** The HTTP request, without its body; absent in process. */
  readonly request?: ApiRequest | undefined;
  /** The reason, in the caller's words; for the audit log. */
  readonly auditReason?: string | undefined;
  /** Whether to undo all changes and send nothing. */
  readonly isDryRun: boolean;
  /** For reads outside of a transaction. */
  readonly reader: StorageReader;
  /** Runs `work` in a transaction: a new one, or a savepoint of the host's open one. A dry run is rolled back. */
  readonly write: <T>(work: (call: WriteCall) => Promise<T>, options?: TransactionOptions) => Promise<T>;
}

/** Whether a call runs inside the host's transaction: it reads uncommitted data, and must not wait for others. */
export function isInsideHost({ reader, service }: OperationCall): boolean {
  return reader !== service.storage;
}

/** A call inside its transaction: `reader` sees the writes of the transaction. */
export interface WriteCall extends OperationCall {
  readonly tx: Transaction;
  /** The approval requests to receivers of events; absent where receivers cannot be asked. */
  readonly asking?: TransactionApprovals | undefined;
  /** The actor and location of the call that caused this one, where that was another call. */
  readonly origin?: Origin | undefined;
}

/** The input and output types of an operation. `InProcessApi` and `IdentityClient` turn signatures into functions. */
export interface OperationSignature<Input, Output> {
  /** Never set: carries the types. */
  readonly types?: { readonly input: Input; readonly output: Output };
}

/** The signature of an operation with a stream as input or output; the typed client has no function for it. */
export interface StreamSignature<Input, Output> extends OperationSignature<Input, Output> {
  /** Never set: distinguishes it from other signatures. */
  readonly isStream?: true;
}

/**
 * An operation of the service, independent of the entry point: routes, the in-process API, the typed client and the OpenAPI
 * document call it. `Input` and `Output` are the types for callers in process.
 */
export interface Operation<Input, Output> extends OperationSignature<Input, Output> {
  readonly name: string;
  /** The members of the in-process input that are parameters, not body. */
  readonly parameters: readonly string[];
  readonly bodyKinds: ReadonlySet<BodyKind>;
  /** The lists of the body that only the limit in bytes bounds, such as `members.*`. */
  readonly bulkLists?: readonly BulkPath[] | undefined;
  /** The body that the operation reads as it arrives; its other input is in the query. */
  readonly streamedBody?: StreamedBodyRow | undefined;
  /** The media type of an answer that is written while it is sent. */
  readonly streamedType?: string | undefined;
  readonly run: (call: OperationCall) => Promise<OperationResult>;
  /** Converts a refusal to the protocol of the operation, where that has its own error format. */
  readonly toRefusal?: ((error: IdentityError, request?: ApiRequest) => IdentityError) | undefined;
}

/** The operations with the signatures of a family. */
export type OperationsOf<Signatures> = {
  readonly [Verb in keyof Signatures]: Signatures[Verb] extends OperationSignature<infer Input, infer Output>
    ? Operation<Input, Output>
    : never;
};

/** The body kinds of operations with a form, as in OAuth. */
export const formOnly: ReadonlySet<BodyKind> = new Set(["form"]);

/** The body kinds of operations that take no patches. */
export const jsonOnly: ReadonlySet<BodyKind> = new Set(["json"]);

/** The body kinds of a patch. */
export const patchKinds: ReadonlySet<BodyKind> = new Set(["json", "jsonPatch", "mergePatch"]);

/** Declares an operation. */
export function defineOperation<Input, Output>(
  name: string,
  parameters: readonly string[],
  run: Operation<Input, Output>["run"],
  bodyKinds: ReadonlySet<BodyKind> = jsonOnly,
): Operation<Input, Output> {
  return Object.freeze({ name, parameters, bodyKinds, run });
}

/** The result of a call that returns only success. */
export const emptyResult: OperationResult = Object.freeze({ status: 200, json: "" });

/** The context of a directory query: this call's reader and, by default, its scope. */
export function directoryContext(call: OperationCall | WriteCall, scope: TenantScope = call.scope): DirectoryContext {
  const { reader } = call;
  if (!("tx" in call)) return { scope, reader };
  const { tx } = call;
  return {
    scope,
    reader,
    // Lazy: it may need an optional package and a transaction of its own.
    get native() {
      return tx.native;
    },
  };
}

/** The context of a directory query in all tenants. */
export function globalDirectoryContext(call: OperationCall): DirectoryContext {
  return directoryContext(call, globalScope);
}

/** An operation of any types. */
export type AnyOperation = Operation<unknown, unknown>;

/** After the commit, invalidates the cached clients: for families that define clients and their rights. */
export async function invalidateClients({ service, tx }: WriteCall): Promise<void> {
  tx.afterCommit(service.forgetClients);
}
