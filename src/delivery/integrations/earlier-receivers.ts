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

/** The receiver id of the broker. */
export const brokerId = "broker";

/** The settings of a webhook that select its events and tenants. */
export interface Listener extends Pick<Webhook, "excludeActors" | "global" | "id"> {
  readonly types: readonly string[];
  readonly tenantIds: readonly string[];
}

/** The settings of a tenant that select the webhooks for its events. */
export interface TenantState {
  readonly id: string;
  readonly disabled: readonly string[];
  readonly webhookIds: readonly string[];
}

/** A setting that selects receivers, in its state before a change. Exactly one of the members is set. */
export interface EarlierPart {
  /** `listener` is absent where the change created the webhook. */
  readonly webhook?: { readonly id: string; readonly listener?: Listener };
  /** `isLast`: the removal of the tenant has begun; the state applies to all its later events. */
  readonly tenant?: TenantState & { readonly isLast: boolean };
  readonly isBrokerEnabled?: boolean;
}

/**
 * The state of a setting before a change, for events that waited then: those at these positions of the outbox. So receivers are
 * found late but as of the recording, and a change costs the same for any number of waiting events.
 */
export interface EarlierReceivers extends EarlierPart {
  /** The number of the change, in order. */
  readonly order: number;
  readonly ranges: readonly PositionRange[];
  /** The last position that it can apply to; null while that is open. */
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
 * Stores the state of a setting before a change, in the transaction of the change, for the waiting events that are visible
 * outside it. Events recorded in parallel count as later.
 */
export async function saveEarlierPart(service: Kept, tx: Transaction, part: EarlierPart): Promise<void> {
  const ranges = await service.storage.findPositions(eventsTable);
  const isLast = part.tenant?.isLast === true;
  if (ranges.length === 0 && !(isLast && tellsAnything(part.tenant))) return;
  const order = ((await readEarlierReceivers(tx)).at(-1)?.order ?? 0) + 1;
  const lastPosition = isLast ? null : lastOf(ranges);
  await tx.insert(globalScope, earlierReceiversTable, [
    toRecord({ id: service.runtime.newId(), version: 1 }, service.runtime.clock(), { ...part, order, ranges, lastPosition }),
  ]);
}

function lastOf(ranges: readonly PositionRange[]): number {
  return ranges.at(-1)?.[1] ?? 0;
}

// For a removed tenant without stored state, every event goes to the global webhooks.
function tellsAnything(tenant: TenantState | undefined): boolean {
  return tenant !== undefined && tenant.disabled.length + tenant.webhookIds.length > 0;
}

function toRecord(key: Pick<RecordToStore, "id" | "version">, now: number, earlier: EarlierReceivers): RecordToStore {
  return {
    ...key,
    tenantId: null,
    insertInstant: now,
    lastUpdateInstant: now,
    json: toCanonicalJson(earlier),
    hidden: null,
    columns: { lastPosition: earlier.lastPosition },
  };
}

/** The stored settings that select the events of a webhook. */
export async function readListener(tx: StorageReader, webhook: Webhook): Promise<Listener> {
  const links = await tx.find(globalScope, webhookTenantsTable, { op: "equals", column: "webhookId", value: webhook.id });
  return toListener(webhook, links.flatMap(({ tenantId }) => tenantId ?? []).sort());
}

/** The settings that select the events of a webhook with these tenants. */
export function toListener({ eventsEnabled, excludeActors = [], global, id }: Webhook, tenantIds: readonly string[]): Listener {
  const types = Object.keys(eventsEnabled).filter((type) => eventsEnabled[type] === true);
  return { excludeActors, global, id, tenantIds, types };
}

/** The stored settings that select the receivers of a tenant's events. */
export async function readTenantState(
  tx: StorageReader,
  tenant: Pick<Tenant, "eventConfiguration" | "id">,
): Promise<TenantState> {
  const links = await tx.find(tenantScope(tenant.id), webhookTenantsTable, undefined);
  const webhookIds = links.map(({ json }) => (JSON.parse(json) as { readonly webhookId: string }).webhookId);
  return { id: tenant.id, disabled: disabledTypes(tenant), webhookIds: webhookIds.sort() };
}

/** The types of events that a tenant has disabled. */
export function disabledTypes({ eventConfiguration }: Pick<Tenant, "eventConfiguration">): readonly string[] {
  const { events } = eventConfiguration;
  return Object.keys(events).filter((type) => events[type]?.enabled === false);
}

/**
 * Stores the receivers of a tenant's events before the tenant, or its first record, is removed: call it once, in the transaction
 * that begins the removal. All later events of the tenant go to these receivers.
 */
export async function saveReceiversOfTenant(service: ServiceContext, tx: Transaction, tenantId: string): Promise<void> {
  const stored = await tx.retrieve(globalScope, service.tenantsTable, tenantId);
  if (stored === undefined) return;
  const tenant = JSON.parse(stored.json) as Tenant;
  const earlier = tenant.state === "PendingDelete" ? await readEarlierReceivers(tx) : [];
  if (earlier.some((one) => one.tenant?.id === tenantId && one.tenant.isLast)) return;
  await saveEarlierPart(service, tx, { tenant: { ...(await readTenantState(tx, tenant)), isLast: true } });
}

/** Removes earlier receivers that no waiting event needs any more. */
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
        await tx.update(globalScope, earlierReceiversTable, toRecord({ id, version: version + 1 }, runtime.clock(), closed));
      }
    }
    if (values.length > 0) await tx.remove(globalScope, earlierReceiversTable, { op: "in", column: "id", values });
  });
}
