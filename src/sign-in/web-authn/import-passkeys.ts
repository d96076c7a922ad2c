import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import { findInChunks, runBulkWrite } from "../../operations/bulk-write.js";
import { recordAuditChanges } from "../../operations/family/audit-change.js";
import { parseRecord } from "../../operations/family/family.js";
import { toRecordToStore } from "../../operations/family/record-steps.js";
import { assertRecordSize } from "../../operations/family/response-size.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { assertUsableTenant } from "../../operations/references/references.js";
import { type RecordToStore, type StoredRecord, tenantScope, UniqueViolation } from "../../ports/storage.js";
import { passkeysTable } from "../../records/passkeys/family.js";
import { toPasskeyPem } from "../../records/passkeys/public-key.js";
import type { ParsedPasskeyRequest, Passkey } from "../../records/passkeys/schema.js";
import { maxPasskeysPerUser } from "../../records/settings/passkey-settings.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { usersTable } from "../../records/users/family.js";
import { inChunks, manyItems } from "../../shared/in-steps.js";
import { formatPath } from "../../shared/text.js";
import { toPasskeyDraft } from "./passkey-draft.js";
import { relyingPartyIdOf } from "./relying-party.js";

type Imported = ParsedPasskeyRequest["credential"];

const stepSize = 500;

/**
 * Imports passkeys of another system, all of them or none.
 * @throws IdentityError 400 `[invalid]credentials[…].userId` for an unknown user, `[invalid]…publicKey` for a key that does not
 * fit its algorithm, `[missing]…relyingPartyId` when the tenant has none, `[tooMany]…userId`, `[duplicate]credentials`.
 */
export async function importPasskeys(call: OperationCall, given: readonly Imported[]): Promise<void> {
  if (given.length === 0) throw fieldError("empty", "credentials");
  const store = async (write: WriteCall): Promise<void> => {
    let start = 0;
    await inChunks({ ...call.service.runtime, size: stepSize }, given, async (chunk) => {
      await storePasskeys(write, chunk, start);
      start += chunk.length;
    });
  };
  try {
    await runBulkWrite(call, store, given.length > manyItems);
  } catch (error) {
    if (error instanceof UniqueViolation) throw fieldError("duplicate", "credentials");
    throw error;
  }
}

async function storePasskeys(call: WriteCall, chunk: readonly Imported[], start: number): Promise<void> {
  const tenants = await findTenants(call, chunk);
  const counts = await countPasskeys(call, chunk);
  const errors = new FieldErrorList();
  const records = chunk.flatMap((one, index): readonly RecordToStore[] => {
    const path = (...rest: readonly string[]): string => formatPath(["credentials", start + index, ...rest]);
    const tenant = tenants.get(one.userId);
    const publicKey = toPasskeyPem(one.algorithm, one.publicKey);
    const relyingPartyId = one.relyingPartyId ?? (tenant && relyingPartyIdOf(call.service, parseRecord<Tenant>(tenant)));
    const count = (counts.get(one.userId) ?? 0) + 1;
    counts.set(one.userId, count);
    if (tenant === undefined) errors.add("invalid", path("userId"));
    if (publicKey === undefined) errors.add("invalid", path("publicKey"));
    if (tenant !== undefined && relyingPartyId === undefined) errors.add("missing", path("relyingPartyId"));
    if (count > maxPasskeysPerUser) errors.add("tooMany", path("userId"));
    if (tenant === undefined || publicKey === undefined || relyingPartyId === undefined) return [];
    const record = toRecord(call, { ...one, publicKey, relyingPartyId }, tenant.id);
    assertRecordSize(call.service, record, path());
    return [record];
  });
  errors.throwIfAny();
  for (const [tenantId, ofTenant] of Map.groupBy(records, (record) => record.tenantId ?? "")) {
    await call.tx.insert(tenantScope(tenantId), passkeysTable, ofTenant);
    const sides = ofTenant.map(({ json }) => [undefined, JSON.parse(json)] as const);
    await recordAuditChanges(call, "passkeys", tenantId, sides);
  }
}

async function findTenants(call: WriteCall, chunk: readonly Imported[]): Promise<ReadonlyMap<string, StoredRecord>> {
  const values = [...new Set(chunk.map(({ userId }) => userId))];
  const users = await findInChunks(call, call.scope, { table: usersTable, column: "id", values });
  const tenants = new Map<string, StoredRecord>();
  for (const tenantId of new Set(users.map((user) => user.tenantId))) {
    const tenant = await assertUsableTenant(call, tenantId);
    for (const user of users) if (tenant !== undefined && user.tenantId === tenantId) tenants.set(user.id, tenant);
  }
  return tenants;
}

// Includes passkeys from earlier chunks of this import.
async function countPasskeys(call: WriteCall, chunk: readonly Imported[]): Promise<Map<string, number>> {
  const values = [...new Set(chunk.map(({ userId }) => userId))];
  const found = await findInChunks(call, call.scope, { table: passkeysTable, column: "userId", values });
  const counts = new Map<string, number>();
  for (const { userId } of found.map(parseRecord<Passkey>)) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return counts;
}

function toRecord(
  { service: { runtime } }: WriteCall,
  given: Imported & Pick<Passkey, "relyingPartyId">,
  tenantId: string,
): RecordToStore {
  const { id = runtime.newId(), insertInstant: now = runtime.clock() } = given;
  return toRecordToStore(toPasskeyDraft(given, { id, now, tenantId }), tenantId, 1);
}
