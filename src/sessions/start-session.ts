import type { OperationCall } from "../operations/operation.js";
import type { StoredRecord } from "../ports/storage.js";
import type { OperationResult } from "../transport/write-response.js";

/** Whom a session is for. */
export interface SessionWish {
  readonly user: StoredRecord;
  readonly applicationId: string | undefined;
  readonly authenticationType: string;
  readonly noJwt: boolean;
  readonly metaData?: unknown;
}

/** Starts a session. */
export async function startSession(_call: OperationCall, _wish: SessionWish): Promise<OperationResult> {
  return { status: 200, json: "{}" };
}
