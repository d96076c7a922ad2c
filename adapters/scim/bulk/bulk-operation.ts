/** The maximum number of operations in a bulk request. */
export const maxBulkOperations = 1_000;

/** One operation of a bulk request (RFC 7644, 3.7). */
export interface BulkOperation {
  readonly method: string;
  readonly path: string;
  readonly bulkId: string | undefined;
  readonly version: string | undefined;
  readonly data: unknown;
}

/** The operation as a separate request. */
export type OperationRequest = Omit<BulkOperation, "bulkId">;
