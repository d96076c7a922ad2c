import { hash } from "node:crypto";
import type { Clock } from "../../ports/runtime.js";
import { globalScope, type RecordToStore, type Storage, UniqueViolation } from "../../ports/storage.js";
import { usedProofsTable } from "../../records/tables.js";
import type { Proof } from "./dpop-proof.js";

/**
 * How long a use is stored. The last instant at which a proof is taken is two windows of a minute behind the first; the rest is for
 * processes whose clocks are apart.
 */
const keepMs = 180_000;

/** Keeps that a proof was used; answers false when it was before. */
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

/** Removes the proofs that are too old to be taken again. */
export async function removeOldProofs(storage: Storage, now: number): Promise<void> {
  const isOld = { op: "compare", column: "insertInstant", comparison: "<", value: now - keepMs } as const;
  // Where nobody proves anything, nobody waits for a transaction.
  const oldest = { limit: 1, sort: [{ column: "insertInstant", direction: "asc" }] } as const;
  const [old] = await storage.find(globalScope, usedProofsTable, isOld, oldest);
  if (old !== undefined) await storage.transaction((tx) => tx.remove(globalScope, usedProofsTable, isOld));
}

function toRecord(proof: Proof, now: number): RecordToStore {
  const instants = { insertInstant: now, lastUpdateInstant: now };
  return { id: toId(proof), tenantId: null, version: 1, ...instants, json: "{}", hidden: null, columns: {} };
}

// Half of a SHA-256 as an id. A thumbprint has no dot, so that no two pairs are the same text.
function toId({ thumbprint, jti }: Proof): string {
  const digest = hash("sha256", `${thumbprint}.${jti}`);
  return [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20), digest.slice(20, 32)].join("-");
}
