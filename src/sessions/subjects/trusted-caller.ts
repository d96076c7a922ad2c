import type { OperationCall } from "../../operations/operation.js";

/** Whether a call comes from the holder of a key, a client, the host, or a front door, which keeps ids from its visitor: they may learn ids. */
export function isTrustedCaller({ principal }: OperationCall): boolean {
  return principal !== undefined && principal.kind !== "user";
}

/** Whether a call speaks for nobody but the one at its address: without a key, or at a front door. Public limits hold for it. */
export function isPublicCaller({ principal }: OperationCall): boolean {
  return principal === undefined || principal.kind === "user" || principal.kind === "visitor";
}
