import { parseRecord } from "../../operations/family/family.js";
import { type Filter, globalScope, type StorageReader, type StoredRecord, type Table } from "../../ports/storage.js";
import { auditLogsTable } from "../../records/audit-logs/family.js";
import type { AuditLog } from "../../records/audit-logs/schema.js";
import type { Tenant } from "../../records/tenants/schema.js";

/** Limited, because each entry adds a condition to the query. */
const together = 100;

/**
 * Returns the numbers of entries stored under a tenant or instant other than in their text. Such an entry would be missing from
 * lists and exports although its digest is right.
 */
export async function findMovedEntries(
  reader: StorageReader,
  tenantsTable: Table,
  records: readonly StoredRecord[],
): Promise<ReadonlySet<number>> {
  const entries = records.map(({ json, tenantId }) => ({ ...(JSON.parse(json) as AuditLog), storedTenantId: tenantId }));
  const underOthers = entries.filter(({ storedTenantId, tenantId = null }) => storedTenantId !== tenantId);
  const present = await findTenants(reader, tenantsTable, underOthers);
  const moved = new Set<number>();
  // Removing a tenant clears it from its entries.
  for (const { id, storedTenantId, tenantId } of underOthers)
    if (storedTenantId !== null || tenantId === undefined || present.has(tenantId)) moved.add(id);
  for (let start = 0; start < entries.length; start += together) {
    const some = entries.slice(start, start + together);
    const filter = { op: "or", filters: some.map(isInPlace) } as const;
    const found = await reader.find(globalScope, auditLogsTable, filter);
    const inPlace = new Set(found.map(({ json }) => (JSON.parse(json) as AuditLog).id));
    for (const { id } of some) if (!inPlace.has(id)) moved.add(id);
  }
  return moved;
}

function isInPlace({ id, insertInstant }: AuditLog): Filter {
  const filters = [
    { op: "equals", column: "number", value: id },
    { op: "equals", column: "insertInstant", value: insertInstant },
  ] as const;
  return { op: "and", filters };
}

// The tenants that are not being removed.
async function findTenants(
  reader: StorageReader,
  tenantsTable: Table,
  entries: readonly AuditLog[],
): Promise<ReadonlySet<string>> {
  const values = [...new Set(entries.flatMap(({ tenantId }) => tenantId ?? []))];
  if (values.length === 0) return new Set();
  const found = await reader.find(globalScope, tenantsTable, { op: "in", column: "id", values });
  return new Set(found.filter((tenant) => parseRecord<Tenant>(tenant).state !== "PendingDelete").map(({ id }) => id));
}
