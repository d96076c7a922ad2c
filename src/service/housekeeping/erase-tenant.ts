import { saveReceiversOfTenant } from "../../delivery/integrations/earlier-receivers.js";
import { describeRemoval, hasRemovalEvents } from "../../families/index.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { publishEvents } from "../../operations/outbox/publish-event.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { globalScope, type StoredRecord, type Table, tenantScope } from "../../ports/storage.js";
import type { HiddenTenant, PendingRemoval } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { toServiceCall } from "../audit/start-auditing.js";

/** A process, and the tenant that it erases. */
export interface Eraser {
  readonly tenantId: string;
  readonly owner: string;
}

/** The position of the next batch: the table, the last erased id, and the number of records. */
export interface ErasePosition {
  readonly table: number;
  readonly after?: string | undefined;
  readonly size: number;
}

/** The tenant is erased; another process erases it; or there is more to erase. */
export type EraseOutcome = "gone" | "held" | ErasePosition;

/** Small, because the size of the records is not known yet. */
export const firstPosition: ErasePosition = Object.freeze({ table: 0, size: 50 });

const maxBatchRecords = 1_000;
/** In characters. */
const wantedBatchLength = 2_000_000;
/** Each batch renews the lease. A batch fails once another process has it. */
const leaseMilliseconds = 15_000;

/**
 * Erases the next batch of a tenant that is marked for removal, with the events of its records, in the caller's transaction. A
 * batch that finds all tables empty removes the tenant itself.
 */
export async function eraseBatch({ service, tx }: Writing, eraser: Eraser, position: ErasePosition): Promise<EraseOutcome> {
  const tenant = await tx.retrieve(globalScope, service.tenantsTable, eraser.tenantId);
  if (tenant === undefined || parseRecord<Tenant>(tenant).state !== "PendingDelete") return "gone";
  // An earlier version, without batches, marked it.
  if (parseHidden<HiddenTenant>(tenant)?.removal === undefined) await saveReceiversOfTenant(service, tx, tenant.id);
  const removal = await holdTenant({ service, tx }, tenant, eraser.owner);
  if (removal === undefined) return "held";
  const call = toServiceCall(service, tx, removal.origin ?? {});
  const next = await eraseRecords(call, eraser.tenantId, position);
  if (next !== undefined) return next;
  await tx.remove(globalScope, service.tenantsTable, { op: "equals", column: "id", value: eraser.tenantId });
  tx.afterCommit(service.forgetKeys);
  tx.afterCommit(service.eventSettings.invalidate);
  return "gone";
}

type Writing = Pick<WriteCall, "service" | "tx">;

/** Takes or renews the lease of a tenant; undefined when another process has it. */
async function holdTenant(call: Writing, tenant: StoredRecord, owner: string): Promise<PendingRemoval | undefined> {
  const now = call.service.runtime.clock();
  const removal = parseHidden<HiddenTenant>(tenant)?.removal ?? {};
  if (removal.owner !== undefined && removal.owner !== owner && (removal.until ?? 0) > now) return undefined;
  await keepRemoval(call, tenant, { ...removal, owner, until: now + leaseMilliseconds });
  return removal;
}

/** Releases the lease of a tenant, so that another process need not wait for its end. */
export async function releaseTenant(call: Writing, { tenantId, owner }: Eraser): Promise<void> {
  const tenant = await call.tx.retrieve(globalScope, call.service.tenantsTable, tenantId);
  const removal = tenant && parseHidden<HiddenTenant>(tenant)?.removal;
  if (tenant !== undefined && removal?.owner === owner) await keepRemoval(call, tenant, { ...removal, until: 0 });
}

async function keepRemoval({ service, tx }: Writing, tenant: StoredRecord, removal: PendingRemoval): Promise<void> {
  const { id, version } = tenant;
  const hidden = toCanonicalJson({ ...parseHidden<HiddenTenant>(tenant), removal });
  await tx.replaceHidden(globalScope, service.tenantsTable, [{ id, version, hidden }]);
}

/** Erases the records from a position on; returns the next position, or undefined when all tables were found empty. */
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

// Referencing tables come first. Logs come last, because the events of the removed records write some.
function tablesOfTenants({ tables, tenantsTable }: ServiceContext): readonly Table[] {
  const own = tables.filter((table) => table.tenancy !== "global" && table !== tenantsTable).toReversed();
  return [...own.filter((table) => !table.outlivesTenant), ...own.filter((table) => table.outlivesTenant)];
}

interface Place {
  readonly table: Table;
  readonly tenantId: string;
  readonly after: string | undefined;
}

/** A batch of records of one table that were removed or made global. */
interface ErasedPage {
  readonly count: number;
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
