import { parseHidden } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { type HiddenUser, saveUser, users } from "../../people/users/rules.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { hasValidProof, passwordDigestOf } from "../../sessions/validity/proof.js";

/**
 * Replaces an imported hash, after a correct password, by one of the service's own algorithm; returns the stored user. Concurrent
 * logins remain valid.
 */
export async function rehashPassword(call: OperationCall, proven: StoredRecord, password: string): Promise<StoredRecord> {
  const passwordHash = await call.service.accounts.passwords.hash(password);
  const hashOf = (stored: StoredRecord): string | undefined => parseHidden<HiddenUser>(stored)?.passwordHash;
  return call.write(async (write) => {
    const fresh = await write.reader.retrieve(tenantScope(proven.tenantId ?? ""), users.table, proven.id);
    // Another login was first, or the proof has ended: the next step checks that.
    if (fresh === undefined || hashOf(fresh) !== hashOf(proven) || !hasValidProof(proven, fresh)) return proven;
    return saveUser(write, fresh, {}, { firstHashDigest: passwordDigestOf(parseHidden<HiddenUser>(fresh)), passwordHash });
  });
}
