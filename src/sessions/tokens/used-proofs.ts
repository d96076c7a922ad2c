import { hash } from "node:crypto";
import type { Clock } from "../../ports/runtime.js";
import { globalScope, type RecordToStore, type Storage, UniqueViolation } from "../../ports/storage.js";
import { usedProofsTable } from "../../records/tables.js";
import type { Proof } from "./dpop-proof.js";

/**
 * How long a used proof is stored: a proof is accepted during two windows of a minute; the rest allows for clock skew between
 * processes.
 */
const keepMs = 180_000;

/** Records the use of a proof; returns false if it was used before. */
export async function saveProof(storage: Storage, clock: Clock, proof: Proof): Promise<boolean> {
  const now = clock();
  try {
    await storage.transaction((tx) => tx.insert(globalScope, usedProofsTable, [toRecord(proof, now)]));
    return true;
  } catch (error) {
    if (error instanceof UniqueViolation) return false;
    throw error;
  }
}

/** Removes expired proofs. */
export async function removeOldProofs(storage: Storage, now: number): Promise<void> {
  const isOld = { op: "compare", column: "insertInstant", comparison: "<", value: now - keepMs } as const;
  // Opens a transaction only if there is something to remove.
  const oldest = { limit: 1, sort: [{ column: "insertInstant", direction: "asc" }] } as const;
  const [old] = await storage.find(globalScope, usedProofsTable, isOld, oldest);
  if (old !== undefined) await storage.transaction((tx) => tx.remove(globalScope, usedProofsTable, isOld));
}

function toRecord(proof: Proof, now: number): RecordToStore {
  const instants = { insertInstant: now, lastUpdateInstant: now };
  return { id: toId(proof), tenantId: null, version: 1, ...instants, json: "{}", hidden: null, columns: {} };
}

// Half of a SHA-256 as an id. A thumbprint contains no dot, so different pairs are different texts.
function toId({ thumbprint, jti }: Proof): string {
  const digest = hash("sha256", `${thumbprint}.${jti}`);
  return [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20), digest.slice(20, 32)].join("-");
}
