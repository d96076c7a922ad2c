import type { OperationSignature } from "./operations/operation.js";

/** Options of an in-process call, in place of HTTP headers and query parameters. */
export interface CallOptions {
  /** Binds the call to this tenant, like the tenant header over HTTP. */
  readonly tenantId?: string;
  /** Refuses the call with 412 when the record no longer has this ETag (see `etagOf`). */
  readonly ifMatch?: string;
  /** Dry run: runs the operation, returns its result, and rolls back. */
  readonly dryRun?: boolean;
  /** The reason for a change, like the header `X-Audit-Reason`: where the service audits changes, at most 1,000 UTF-16 units. */
  readonly auditReason?: string;
}

/**
 * An operation as a function: input and output of the operation, options of the call. `Ids` are one-time ids in the output, meant
 * for a mail or a text message, that any holder can use: the call returns them only with `returnIds: true`. Do not send such a
 * result to a browser.
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
