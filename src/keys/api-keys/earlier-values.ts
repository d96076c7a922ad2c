import { fieldError } from "../../errors/identity-error.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import { toRecordToStore } from "../../operations/family/record-steps.js";
import type { WriteCall } from "../../operations/operation.js";
import { globalScope, type RecordToStore } from "../../ports/storage.js";
import { apiKeysTable } from "../../records/api-keys/family.js";
import type { ApiKey } from "../../records/api-keys/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { columnsOf, type HiddenApiKey } from "./key-limits.js";

/**
 * Checks that the value of a stored key is not the earlier value of another key within its grace period.
 * @throws IdentityError 400 `[duplicate]apiKey.key` when it is.
 */
export async function assertFreeValue({ service, tx }: WriteCall, { id, columns }: RecordToStore): Promise<void> {
  const { digest = "" } = columns;
  // A concurrent rotation removes the value from the unique index: this call may still see it as a current value.
  const filters = [equalsFilter("digest", digest), equalsFilter("earlierDigest", digest)];
  const holders = await tx.find(globalScope, apiKeysTable, { op: "or", filters });
  const now = service.runtime.clock();
  const isTaken = holders.some((holder) => {
    if (holder.id === id) return false;
    const hidden = parseHidden<HiddenApiKey>(holder);
    return hidden?.digest === digest || (hidden?.earlier?.expirationInstant ?? 0) > now;
  });
  if (isTaken) throw fieldError("duplicate", "apiKey.key");
}

/** Removes a value from another key that had it earlier: a rotation makes it the earlier value of its current key. */
export async function removeEarlierValue({ tx }: WriteCall, keyId: string, digest: string): Promise<void> {
  const holders = await tx.find(globalScope, apiKeysTable, equalsFilter("earlierDigest", digest));
  for (const holder of holders.filter(({ id }) => id !== keyId)) {
    const record = parseRecord<ApiKey>(holder);
    const { earlier: _removed, ...hidden } = parseHidden<HiddenApiKey>(holder) ?? { digest: "" };
    const draft = { record, hidden, columns: columnsOf(record.name, hidden) };
    await tx.update(globalScope, apiKeysTable, toRecordToStore(draft, holder.tenantId, holder.version + 1));
  }
}
