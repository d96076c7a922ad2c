import type { OperationResult } from "../../http/transport/write-response.js";
import type { OperationCall } from "../../operations/operation.js";
import type { Proof } from "../../records/refresh-tokens/schema.js";

const name = "latchkey-proof";

/** What pages of sign-in learn of a login, and present where they act for its user, which may be in another request. Nobody else has a use for it. */
export function proofHeaders({ principal }: OperationCall, userId: string, proof: Proof): OperationResult["headers"] {
  return principal?.kind === "visitor" ? { [name]: JSON.stringify({ ...proof, userId }) } : undefined;
}

/** What pages of sign-in present; undefined for nothing, for another user, and for callers of any other kind. */
export function readProof({ principal, request }: OperationCall, userId: string): Proof | undefined {
  const text = principal?.kind === "visitor" ? request?.headers[name] : undefined;
  if (typeof text !== "string") return undefined;
  const { userId: of, ...proof } = JSON.parse(text) as Proof & { readonly userId: string };
  return of === userId ? proof : undefined;
}
