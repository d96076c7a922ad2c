import { parseHidden } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { type HiddenUser, saveUser, users } from "../../people/users/rules.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { hasValidProof, passwordDigestOf } from "../../sessions/validity/proof.js";

/**
 * Replaces an imported hash, once its password is proven, by one of the service's own; returns the user as stored then. Logins that go on
 * beside this one remain valid.
 */
export async function rehashPassword(call: OperationCall, proven: StoredRecord, password: string): Promise<StoredRecord> {
  const passwordHash = await call.service.accounts.passwords.hash(password);
  const hashOf = (stored: StoredRecord): string | undefined => parseHidden<HiddenUser>(stored)?.passwordHash;
  return call.write(async (write) => {
    const fresh = await write.reader.retrieve(tenantScope(proven.tenantId ?? ""), users.table, proven.id);
    // Another login was first, or something ended the proof: the next step finds out.
    if (fresh === undefined || hashOf(fresh) !== hashOf(proven) || !hasValidProof(proven, fresh)) return proven;
    return saveUser(write, fresh, {}, { firstHashDigest: passwordDigestOf(parseHidden<HiddenUser>(fresh)), passwordHash });
  });
}
