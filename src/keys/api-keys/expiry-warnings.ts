import type { Change } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { globalScope, type RecordToStore } from "../../ports/storage.js";
import { apiKeyWarningsTable } from "../../records/api-keys/family.js";
import type { ApiKey, ParsedApiKeyRequest } from "../../records/api-keys/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";

/** Schedules the warning of a new or changed key that expires, and removes an earlier one. */
export async function planWarning(call: WriteCall, { draft, original }: Change<ApiKey, ParsedApiKeyRequest>): Promise<void> {
  const { id: keyId, expirationInstant } = draft.record;
  if (original?.expirationInstant === expirationInstant) return;
  if (original !== undefined) await call.tx.remove(globalScope, apiKeyWarningsTable, equalsFilter("keyId", keyId));
  const now = call.service.runtime.clock();
  if (expirationInstant === undefined || expirationInstant <= now) return;
  // For a short-lived key, a warning right after its creation would be useless.
  const ahead = Math.min(call.service.apiKeyWarningMs, Math.floor((expirationInstant - now) / 2));
  await call.tx.insert(globalScope, apiKeyWarningsTable, [toWarning(call, keyId, expirationInstant - ahead)]);
}

function toWarning({ service: { runtime } }: WriteCall, keyId: string, dueInstant: number): RecordToStore {
  const now = runtime.clock();
  const instants = { insertInstant: now, lastUpdateInstant: now };
  return {
    id: runtime.newId(),
    tenantId: null,
    version: 1,
    ...instants,
    json: "{}",
    hidden: null,
    columns: { keyId, dueInstant },
  };
}
