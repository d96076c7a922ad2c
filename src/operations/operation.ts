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
  /** What kind of document the body is; decides how PATCH reads it. */
  readonly bodyKind: BodyKind;
  /** The unread body of an operation with a `streamedBody`. */
  readonly stream?: StreamedBody | undefined;
  readonly ifMatch: string | undefined;
  /** The request that the call came with, body aside; absent in process. */
  readonly request?: ApiRequest | undefined;
  /** The reason, in the caller's words; for the audit log. */
  readonly auditReason?: string | undefined;
  /** Nothing that the call does may last or leave. */
  readonly isDryRun: boolean;
  /** For reads outside of a transaction. */
  readonly reader: StorageReader;
  /** Runs `work` in a transaction: a fresh one, or a savepoint of the one that the host has open. A dry run is undone afterwards. */
  readonly write: <T>(work: (call: WriteCall) => Promise<T>, options?: TransactionOptions) => Promise<T>;
}

/** Whether a call runs inside of the host's own transaction: it reads what nobody else can see yet, and must not wait for others. */
export function isInsideHost({ reader, service }: OperationCall): boolean {
  return reader !== service.storage;
}

/** A call inside its transaction: `reader` reads what the transaction wrote. */
export interface WriteCall extends OperationCall {
  readonly tx: Transaction;
  /** The questions to receivers of events; absent where nobody can be asked. */
  readonly asking?: TransactionApprovals | undefined;
  /** Who caused what is done, where that was another call. */
  readonly origin?: Origin | undefined;
}

/** The types of an operation: what callers give it and get from it. `InProcessApi` and `IdentityClient` make functions of signatures. */
export interface OperationSignature<Input, Output> {
  /** Never set: carries the types. */
  readonly types?: { readonly input: Input; readonly output: Output };
}

/** The signature of an operation whose input or output is a stream; the typed client leaves it to other libraries of HTTP. */
export interface StreamSignature<Input, Output> extends OperationSignature<Input, Output> {
  /** Never set: distinguishes it from others. */
  readonly isStream?: true;
}

/**
 * Something the service can do, through any entry point: routes, the in-process API, the typed client and the OpenAPI
 * document are ways to call it. `Input` and `Output` are what callers in process give and get.
 */
export interface Operation<Input, Output> extends OperationSignature<Input, Output> {
  readonly name: string;
  /** The members of the in-process input that are parameters, not body. */
  readonly parameters: readonly string[];
  /** The documents that the body may be. */
  readonly bodyKinds: ReadonlySet<BodyKind>;
  /** The lists of the body that only the limit in bytes bounds, such as `members.*`. */
  readonly bulkLists?: readonly BulkPath[] | undefined;
  /** The body that the operation reads by itself, as it arrives; its other input is in the query. */
  readonly streamedBody?: StreamedBodyRow | undefined;
  /** The media type of an answer that is made while it is sent. */
  readonly streamedType?: string | undefined;
  readonly run: (call: OperationCall) => Promise<OperationResult>;
  /** A refusal of a call as the protocol of the operation puts it, where that has a form of its own. */
  readonly toRefusal?: ((error: IdentityError, request?: ApiRequest) => IdentityError) | undefined;
}

/** The operations with the signatures of a family. */
export type OperationsOf<Signatures> = {
  readonly [Verb in keyof Signatures]: Signatures[Verb] extends OperationSignature<infer Input, infer Output>
    ? Operation<Input, Output>
    : never;
};

/** The body of operations that take a form, as OAuth does. */
export const formOnly: ReadonlySet<BodyKind> = new Set(["form"]);

/** The documents of operations that take no patches. */
export const jsonOnly: ReadonlySet<BodyKind> = new Set(["json"]);

/** The documents that a patch may be. */
export const patchKinds: ReadonlySet<BodyKind> = new Set(["json", "jsonPatch", "mergePatch"]);

/** Declares an operation. */
export function defineOperation<Input, Output>(
  name: string,
  parameters: readonly string[],
  run: Operation<Input, Output>["run"],
  bodyKinds: ReadonlySet<BodyKind> = jsonOnly,
  toRefusal?: Operation<Input, Output>["toRefusal"],
): Operation<Input, Output> {
  return Object.freeze({ name, parameters, bodyKinds, run, toRefusal });
}

/** The result of a call that answers nothing but success. */
export const emptyResult: OperationResult = Object.freeze({ status: 200, json: "" });

/** Where a question to the directory comes from: this call, within its own scope unless another is given. */
export function directoryContext(call: OperationCall | WriteCall, scope: TenantScope = call.scope): DirectoryContext {
  const { reader } = call;
  if (!("tx" in call)) return { scope, reader };
  const { tx } = call;
  return {
    scope,
    reader,
    // Made when it is read: it may need a package that is not installed, and a transaction of its own.
    get native() {
      return tx.native;
    },
  };
}

/** The directory asked about all tenants. */
export function globalDirectoryContext(call: OperationCall): DirectoryContext {
  return directoryContext(call, globalScope);
}

/** An operation whose types do not matter to the holder. */
export type AnyOperation = Operation<unknown, unknown>;

/** After the commit, invalidates the clients that the token endpoint caches: for families that define what a client is and may do. */
export async function invalidateClients({ service, tx }: WriteCall): Promise<void> {
  tx.afterCommit(service.forgetClients);
}
