import { fieldError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { Change } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { globalScope, type RecordToStore, type StorageReader } from "../../ports/storage.js";
import { apiKeyTenantsTable } from "../../records/api-keys/family.js";
import type { ApiKey, ParsedApiKeyRequest } from "../../records/api-keys/schema.js";
import { tenantsTable } from "../../records/tenants/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";

interface KeyTenant {
  readonly keyId: string;
  readonly tenantId: string;
}

/** Returns the existing tenants of keys with several tenants, by the id of the key. */
export async function findTenantsOfKeys(
  reader: StorageReader,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await reader.find(globalScope, apiKeyTenantsTable, { op: "in", column: "keyId", values: keyIds });
  const byKey = Map.groupBy(
    rows.map(({ json }): KeyTenant => JSON.parse(json)),
    ({ keyId }) => keyId,
  );
  return new Map([...byKey].map(([keyId, own]) => [keyId, own.map(({ tenantId }) => tenantId)]));
}

/**
 * Checks the tenants of a new or changed key.
 * @throws IdentityError 400 `[invalid]apiKey.tenantIds` for an unknown tenant, together with `tenantId`, for a caller with a
 * tenant, and for a key that was created without them.
 */
export async function checkTenants(call: WriteCall, { draft, original }: Change<ApiKey, ParsedApiKeyRequest>): Promise<void> {
  const { tenantId, tenantIds } = draft.record;
  if (tenantIds === undefined) return;
  const wasMadeWithout = original !== undefined && original.tenantIds === undefined;
  if (tenantId !== undefined || call.scope.kind === "tenant" || wasMadeWithout) throw fieldError("invalid", "apiKey.tenantIds");
  const known = await findKnown(call, tenantIds);
  // Tenants of the key may have been deleted.
  const isUnknown = (id: string): boolean => !known.includes(id) && original?.tenantIds?.includes(id) !== true;
  if (tenantIds.some(isUnknown)) throw fieldError("invalid", "apiKey.tenantIds");
}

function findKnown(call: WriteCall, tenantIds: readonly string[]): Promise<readonly string[]> {
  return call.tx.findIds(globalScope, tenantsTable, "id", { op: "in", column: "id", values: tenantIds });
}

/** Stores the tenants of a new or changed key. */
export async function saveTenants(call: WriteCall, { draft, original }: Change<ApiKey, ParsedApiKeyRequest>): Promise<void> {
  const { id: keyId, tenantIds } = draft.record;
  if (tenantIds === undefined) return;
  if (original !== undefined) await call.tx.remove(globalScope, apiKeyTenantsTable, equalsFilter("keyId", keyId));
  const rows = (await findKnown(call, tenantIds)).map((tenantId) => toRow(call, { keyId, tenantId }));
  await call.tx.insert(globalScope, apiKeyTenantsTable, rows);
}

function toRow({ service: { runtime } }: WriteCall, row: KeyTenant): RecordToStore {
  const now = runtime.clock();
  const { keyId, tenantId } = row;
  const instants = { insertInstant: now, lastUpdateInstant: now };
  return { id: runtime.newId(), tenantId, version: 1, ...instants, json: toCanonicalJson(row), hidden: null, columns: { keyId } };
}
