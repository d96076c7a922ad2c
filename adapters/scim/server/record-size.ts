import { ScimError } from "../schema/errors.js";
import type { ScimCall } from "./call.js";

/** Throws `ScimError` 413 for a record beyond the API's limit: small changes in sequence must not exceed it either. */
export function assertRecordSize({ host }: Pick<ScimCall, "host">, record: object): void {
  if (Buffer.byteLength(JSON.stringify(record)) > host.maxBodyBytes)
    throw new ScimError(413, undefined, `A resource without its members has at most ${host.maxBodyBytes} bytes.`);
}
