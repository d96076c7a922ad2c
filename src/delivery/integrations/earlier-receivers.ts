import { toCanonicalJson } from "../../json/canonical-json.js";
import { earlierReceiversTable, eventsTable } from "../../operations/outbox/tables.js";
import type { ServiceContext } from "../../operations/service-context.js";
import {
  globalScope,
  type PositionRange,
  type RecordToStore,
  type StorageReader,
  type Transaction,
  tenantScope,
} from "../../ports/storage.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { webhookTenantsTable } from "../../records/webhooks/family.js";
import type { Webhook } from "../../records/webhooks/schema.js";

/** The broker among the receivers of events. */
export const brokerId = "broker";

/** What decides which events a webhook gets, and of which tenants. */
export interface Listener extends Pick<Webhook, "excludeActors" | "global" | "id"> {
  /** The types of events that it wants. */
  readonly types: readonly string[];
  readonly tenantIds: readonly string[];
}

/** What decides which webhooks get the events of a tenant. */
export interface TenantState {
  readonly id: string;
  /** The types of events that the tenant has switched off. */
  readonly disabled: readonly string[];
  /** The webhooks that name the tenant. */
  readonly webhookIds: readonly string[];
}

/** Something that decides about receivers, as it was before a change. One of the members is there. */
export interface EarlierPart {
  /** `listener` is absent where the webhook was made by the change. */
  readonly webhook?: { readonly id: string; readonly listener?: Listener };
  /** `isLast`: the tenant was removed, or is being removed; it holds for every later event of the tenant. */
  readonly tenant?: TenantState & { readonly isLast: boolean };
  readonly isBrokerEnabled?: boolean;
}

/**
 * What was so when events were recorded that still waited when it changed: those at these positions of the outbox. So receivers of
 * an event are found late, as they were when it was recorded, and a change costs the same however many events wait.
 */
export interface EarlierReceivers extends EarlierPart {
  /** Counts the changes, in the order in which they were made. */
  readonly order: number;
  readonly ranges: readonly PositionRange[];
  /** The last position that it can hold for; null while that is open. */
  readonly lastPosition: number | null;
}

/** All stored earlier receivers, the oldest first. */
export async function readEarlierReceivers(reader: StorageReader): Promise<readonly EarlierReceivers[]> {
  const found = await reader.find(globalScope, earlierReceiversTable, undefined);
  return found.map(({ json }) => JSON.parse(json) as EarlierReceivers).sort((a, b) => a.order - b.order);
}

/** Whether it applies to the event recorded at a position of the outbox. */
export function includesPosition({ ranges }: EarlierReceivers, position: number): boolean {
  return ranges.some(([first, last]) => first <= position && position <= last);
}

type Kept = Pick<ServiceContext, "runtime" | "storage">;

/**
 * Keeps what decides about receivers as it is before a change, in the transaction of the change, for the events that wait: those that
 * can be seen from outside of the transaction. What is recorded beside the change counts as recorded after it.
 */
export async function saveEarlierPart(service: Kept, tx: Transaction, part: EarlierPart): Promise<void> {
  const ranges = await service.storage.findPositions(eventsTable);
  const isLast = part.tenant?.isLast === true;
  if (ranges.length === 0 && !(isLast && tellsAnything(part.tenant))) return;
  const order = ((await readEarlierReceivers(tx)).at(-1)?.order ?? 0) + 1;
  const lastPosition = isLast ? null : lastOf(ranges);
  await tx.insert(globalScope, earlierReceiversTable, [
    toRecord(service.runtime.newId(), 1, service.runtime.clock(), { ...part, order, ranges, lastPosition }),
  ]);
}

function lastOf(ranges: readonly PositionRange[]): number {
  return ranges.at(-1)?.[1] ?? 0;
}

// Of a tenant that is gone and that nothing is known of, every event goes to the global webhooks.
function tellsAnything(tenant: TenantState | undefined): boolean {
  return tenant !== undefined && tenant.disabled.length + tenant.webhookIds.length > 0;
}

function toRecord(id: string, version: number, now: number, earlier: EarlierReceivers): RecordToStore {
  return {
    id,
    tenantId: null,
    version,
    insertInstant: now,
    lastUpdateInstant: now,
    json: toCanonicalJson(earlier),
    hidden: null,
    columns: { lastPosition: earlier.lastPosition },
  };
}

/** What decides about the events of a webhook, as stored. */
export async function readListener(tx: StorageReader, webhook: Webhook): Promise<Listener> {
  const links = await tx.find(globalScope, webhookTenantsTable, { op: "equals", column: "webhookId", value: webhook.id });
  return toListener(webhook, links.flatMap(({ tenantId }) => tenantId ?? []).sort());
}

/** What decides about the events of a webhook that is attached to these tenants. */
export function toListener({ eventsEnabled, excludeActors = [], global, id }: Webhook, tenantIds: readonly string[]): Listener {
  const types = Object.keys(eventsEnabled).filter((type) => eventsEnabled[type] === true);
  return { excludeActors, global, id, tenantIds, types };
}

/** What decides about the events of a tenant, as stored. */
export async function readTenantState(
  tx: StorageReader,
  tenant: Pick<Tenant, "eventConfiguration" | "id">,
): Promise<TenantState> {
  const links = await tx.find(tenantScope(tenant.id), webhookTenantsTable, undefined);
  const webhookIds = links.map(({ json }) => (JSON.parse(json) as { readonly webhookId: string }).webhookId);
  return { id: tenant.id, disabled: disabledTypes(tenant), webhookIds: webhookIds.sort() };
}

/** The types of events that a tenant has switched off. */
export function disabledTypes({ eventConfiguration }: Pick<Tenant, "eventConfiguration">): readonly string[] {
  const { events } = eventConfiguration;
  return Object.keys(events).filter((type) => events[type]?.enabled === false);
}

/**
 * Keeps whom the events of a tenant go to, before the tenant, or the first of what is in it, is removed: to be called once, in the
 * transaction that begins the removal. From then on, and when the tenant is gone, all of its events go there.
 */
export async function saveReceiversOfTenant(service: ServiceContext, tx: Transaction, tenantId: string): Promise<void> {
  const stored = await tx.retrieve(globalScope, service.tenantsTable, tenantId);
  if (stored === undefined) return;
  const tenant = JSON.parse(stored.json) as Tenant;
  const earlier = tenant.state === "PendingDelete" ? await readEarlierReceivers(tx) : [];
  if (earlier.some((one) => one.tenant?.id === tenantId && one.tenant.isLast)) return;
  await saveEarlierPart(service, tx, { tenant: { ...(await readTenantState(tx, tenant)), isLast: true } });
}

/** Forgets what no waiting event needs any more. */
export async function pruneEarlierReceivers({ runtime, storage, tenantsTable }: ServiceContext): Promise<void> {
  const found = await storage.find(globalScope, earlierReceiversTable, undefined);
  if (found.length === 0) return;
  // Read after the stored records: everything that a removal recorded beside it is visible.
  const ranges = await storage.findPositions(eventsTable);
  const first = ranges[0]?.[0] ?? Number.MAX_SAFE_INTEGER;
  await storage.transaction(async (tx) => {
    const values: string[] = [];
    for (const { id, json, version } of found) {
      const earlier = JSON.parse(json) as EarlierReceivers;
      if (earlier.lastPosition === null && (await tx.retrieve(globalScope, tenantsTable, earlier.tenant?.id ?? ""))) continue;
      if ((earlier.lastPosition ?? lastOf(ranges)) < first) values.push(id);
      else if (earlier.lastPosition === null) {
        const closed = { ...earlier, lastPosition: lastOf(ranges) };
        await tx.update(globalScope, earlierReceiversTable, toRecord(id, version + 1, runtime.clock(), closed));
      }
    }
    if (values.length > 0) await tx.remove(globalScope, earlierReceiversTable, { op: "in", column: "id", values });
  });
}
