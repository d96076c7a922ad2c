import type { OperationResult } from "../../http/transport/write-response.js";
import type { OperationCall } from "../../operations/operation.js";
import type { Proof } from "../../records/refresh-tokens/schema.js";

const name = "latchkey-proof";

/**
 * Headers that carry the proof of a login to the sign-in pages, which present it in later requests for the same user. Undefined
 * for other callers.
 */
export function proofHeaders({ principal }: OperationCall, userId: string, proof: Proof): OperationResult["headers"] {
  return principal?.kind === "visitor" ? { [name]: JSON.stringify({ ...proof, userId }) } : undefined;
}

/** The proof that the sign-in pages present; undefined without one, for another user, and for other callers. */
export function readProof({ principal, request }: OperationCall, userId: string): Proof | undefined {
  const text = principal?.kind === "visitor" ? request?.headers[name] : undefined;
  if (typeof text !== "string") return undefined;
  const { userId: of, ...proof } = JSON.parse(text) as Proof & { readonly userId: string };
  return of === userId ? proof : undefined;
}
