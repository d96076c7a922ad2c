import type { OperationSignature } from "./operations/operation.js";

/** What a call in process may say beside its input: what HTTP says in headers and query. */
export interface CallOptions {
  /** The tenant that the call is bound to, as the tenant header says over HTTP. */
  readonly tenantId?: string;
  /** Refuse with 412 when the record no longer has this ETag (see `etagOf`). */
  readonly ifMatch?: string;
  /** Do everything, answer what would be stored, and undo it. */
  readonly dryRun?: boolean;
  /** Why something is changed, as the header `X-Audit-Reason` says: where the service audits changes, at most 1,000 UTF-16 units. */
  readonly auditReason?: string;
}

/**
 * An operation as a function: input and output of the operation, options of the call. `Ids` are members of the output that are sent by mail
 * or text, and that every holder can use: they are answered only where the call says `returnIds: true`. Do not send such an answer to a browser.
 */
export type Call<Target, Ids extends string = never> =
  Target extends OperationSignature<infer Input, infer Output>
    ? [Ids] extends [never]
      ? Record<never, never> extends Input
        ? (input?: Input, options?: CallOptions) => Promise<Output>
        : (input: Input, options?: CallOptions) => Promise<Output>
      : {
          (input: Input, options: CallOptions & { readonly returnIds: true }): Promise<Output>;
          (input: Input, options?: CallOptions): Promise<WithoutMembers<Output, Ids>>;
        }
    : never;

type WithoutMembers<Output, Names extends string> = Output extends unknown ? Omit<Output, Names> : never;
