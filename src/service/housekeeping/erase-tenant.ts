import { saveReceiversOfTenant } from "../../delivery/integrations/earlier-receivers.js";
import { describeRemoval, hasRemovalEvents } from "../../families/index.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { publishEvents } from "../../operations/outbox/publish-event.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { globalScope, type StoredRecord, type Table, type Transaction, tenantScope } from "../../ports/storage.js";
import type { HiddenTenant, PendingRemoval } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { toServiceCall } from "../audit/start-auditing.js";

/** Which process erases which tenant. */
export interface Eraser {
  readonly tenantId: string;
  readonly owner: string;
}

/** Where the next batch begins: the table, the last id that is gone from it, and how many records the batch may have. */
export interface ErasePosition {
  readonly table: number;
  readonly after?: string | undefined;
  readonly size: number;
}

/** The tenant is gone; another process erases it; or there is more to erase. */
export type EraseOutcome = "gone" | "held" | ErasePosition;

/** Small, since nobody knows yet how long the records are. */
export const firstPosition: ErasePosition = Object.freeze({ table: 0, size: 50 });

const maxBatchRecords = 1_000;
/** How many characters of records one batch should have. */
const wantedBatchLength = 2_000_000;
/** The lease on erasing a tenant, in milliseconds; each batch renews it. A batch whose lease has passed to another process fails. */
const leaseMilliseconds = 15_000;

/**
 * Erases the next batch of a tenant that is marked for removal, with the events of its records, in the transaction of its caller. The batch
 * that finds nothing left from the first table to the last removes the tenant itself.
 */
export async function eraseBatch(
  service: ServiceContext,
  tx: Transaction,
  eraser: Eraser,
  position: ErasePosition,
): Promise<EraseOutcome> {
  const tenant = await tx.retrieve(globalScope, service.tenantsTable, eraser.tenantId);
  if (tenant === undefined || parseRecord<Tenant>(tenant).state !== "PendingDelete") return "gone";
  // A release that knew no batches marked it.
  if (parseHidden<HiddenTenant>(tenant)?.removal === undefined) await saveReceiversOfTenant(service, tx, tenant.id);
  const removal = await holdTenant(service, tx, tenant, eraser.owner);
  if (removal === undefined) return "held";
  const call = toServiceCall(service, tx, removal.origin ?? {});
  const next = await eraseRecords(call, eraser.tenantId, position);
  if (next !== undefined) return next;
  await tx.remove(globalScope, service.tenantsTable, { op: "equals", column: "id", value: eraser.tenantId });
  tx.afterCommit(service.forgetKeys);
  tx.afterCommit(service.eventSettings.invalidate);
  return "gone";
}

/** Takes the lease of a tenant, or extends it; undefined where another process has it. */
async function holdTenant(
  { runtime, tenantsTable }: ServiceContext,
  tx: Transaction,
  tenant: StoredRecord,
  owner: string,
): Promise<PendingRemoval | undefined> {
  const now = runtime.clock();
  const removal = parseHidden<HiddenTenant>(tenant)?.removal ?? {};
  if (removal.owner !== undefined && removal.owner !== owner && (removal.until ?? 0) > now) return undefined;
  await keepRemoval(tx, tenantsTable, tenant, { ...removal, owner, until: now + leaseMilliseconds });
  return removal;
}

/** Gives the lease of a tenant back, so that another process need not wait for its end. */
export async function releaseTenant(
  { tenantsTable }: ServiceContext,
  tx: Transaction,
  { tenantId, owner }: Eraser,
): Promise<void> {
  const tenant = await tx.retrieve(globalScope, tenantsTable, tenantId);
  const removal = tenant && parseHidden<HiddenTenant>(tenant)?.removal;
  if (tenant !== undefined && removal?.owner === owner) await keepRemoval(tx, tenantsTable, tenant, { ...removal, until: 0 });
}

async function keepRemoval(tx: Transaction, table: Table, tenant: StoredRecord, removal: PendingRemoval): Promise<void> {
  const { id, version } = tenant;
  const hidden = toCanonicalJson({ ...parseHidden<HiddenTenant>(tenant), removal });
  await tx.replaceHidden(globalScope, table, [{ id, version, hidden }]);
}

/** Erases the records from a position on; answers where to continue, undefined when all tables were found empty or are so now. */
async function eraseRecords(
  call: WriteCall,
  tenantId: string,
  { table: first, after, size }: ErasePosition,
): Promise<ErasePosition | undefined> {
  const tables = tablesOfTenants(call.service);
  let [left, length] = [size, 0];
  for (const [index, table] of tables.entries()) {
    if (index < first) continue;
    const page = await eraseFrom(call, { table, tenantId, after: index === first ? after : undefined }, left);
    left -= page.count;
    length += page.length;
    if (left === 0) return { table: index, after: page.lastId, size: toNextSize(size, length) };
    if (page.count > 0) await call.service.runtime.timers.nextTurn();
  }
  return first === 0 && after === undefined ? undefined : { ...firstPosition, size };
}

// What refers to others goes before them. Logs come last: deliveries of the events of all others write some meanwhile.
function tablesOfTenants({ tables, tenantsTable }: ServiceContext): readonly Table[] {
  const own = tables.filter((table) => table.tenancy !== "global" && table !== tenantsTable).toReversed();
  return [...own.filter((table) => !table.outlivesTenant), ...own.filter((table) => table.outlivesTenant)];
}

interface Place {
  readonly table: Table;
  readonly tenantId: string;
  readonly after: string | undefined;
}

/** Records of one table that are gone, or stay without a tenant. */
interface ErasedPage {
  readonly count: number;
  /** In characters. */
  readonly length: number;
  readonly lastId?: string | undefined;
}

async function eraseFrom(call: WriteCall, { after, table, tenantId }: Place, limit: number): Promise<ErasedPage> {
  if (table.outlivesTenant) return { count: await call.tx.clearTenant(table, tenantId, limit), length: 0 };
  const filter = after === undefined ? undefined : ({ op: "compare", column: "id", comparison: ">", value: after } as const);
  const page = await call.tx.find(tenantScope(tenantId), table, filter, { limit });
  await erasePage(call, table, page);
  const length = page.reduce((sum, { hidden, json }) => sum + json.length + (hidden?.length ?? 0), 0);
  return { count: page.length, length, lastId: page.at(-1)?.id };
}

async function erasePage(call: WriteCall, table: Table, page: readonly StoredRecord[]): Promise<void> {
  if (page.length === 0) return;
  if (hasRemovalEvents(table)) await publishEvents(call, await describeRemoval(table, call, page, call.service.tenantsTable));
  const values = page.map(({ id }) => id);
  for (const other of call.service.tables.filter(({ tenancy }) => tenancy === "global"))
    for (const [column, { references }] of Object.entries(other.columns))
      if (references?.table === table.name) await call.tx.remove(globalScope, other, { op: "in", column, values });
  await call.tx.remove(globalScope, table, { op: "in", column: "id", values });
}

function toNextSize(size: number, length: number): number {
  if (length > wantedBatchLength) return Math.max(1, Math.floor((size * wantedBatchLength) / length));
  return Math.min(size * 2, maxBatchRecords);
}
