import type { OperationCall } from "../../operations/operation.js";

/** Whether the caller may learn ids: an API key, a client, the host, or a front door, which hides them from its visitor. */
export function isTrustedCaller({ principal }: OperationCall): boolean {
  return principal !== undefined && principal.kind !== "user";
}

/**
 * Whether the caller acts only for itself: without a credential, with a user's token, or through a front door. Public limits
 * apply.
 */
export function isPublicCaller({ principal }: OperationCall): boolean {
  return principal === undefined || principal.kind === "user" || principal.kind === "visitor";
}
