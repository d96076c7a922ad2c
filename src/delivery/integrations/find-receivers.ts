import { eventTypes } from "../../availability/event-types.js";
import type { RecordedEvent } from "../../operations/events/recorded-event.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, type StorageReader, type StoredRecord } from "../../ports/storage.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { webhooksTable, webhookTenantsTable } from "../../records/webhooks/family.js";
import type { Webhook } from "../../records/webhooks/schema.js";
import { parseUuid } from "../../shared/text.js";
import {
  brokerId,
  disabledTypes,
  type EarlierReceivers,
  includesPosition,
  type Listener,
  readEarlierReceivers,
  type TenantState,
  toListener,
} from "./earlier-receivers.js";
import { readBrokerState } from "./rules.js";

/**
 * Finds the receivers of an event: webhooks by their ids, and the broker (docs/reference/events.md#receivers-of-an-event). With a position in the outbox: those subscribed
 * when it was recorded there; without one, those who want it now.
 */
export type FindReceivers = (event: RecordedEvent, position?: number) => readonly string[];

const scopes: ReadonlyMap<string, string> = new Map(eventTypes.map(({ name, scope }) => [name, scope]));

/** Whether any receiver exists for any event, or existed when waiting events were recorded. */
export async function hasReceivers(reader: StorageReader): Promise<boolean> {
  const [first] = await reader.find(globalScope, webhooksTable, undefined, { limit: 1 });
  if (first !== undefined || (await readBrokerState(reader))) return true;
  return (await readEarlierReceivers(reader)).length > 0;
}

/** What decides about receivers, as it is now. */
interface Present {
  readonly listeners: ReadonlyMap<string, Listener>;
  readonly tenants: ReadonlyMap<string, Tenant>;
  /** The pairs of tenants and webhooks that name them. */
  readonly linked: ReadonlySet<string>;
  readonly isBrokerEnabled: boolean;
}

/** Reads what decides about the receivers of some events that wait in the outbox: five statements sent together, however many events. */
export async function readReceivers(
  service: ServiceContext,
  reader: StorageReader,
  events: readonly RecordedEvent[],
): Promise<FindReceivers> {
  const [earlier, present] = await Promise.all([readEarlierReceivers(reader), readPresent(service, reader, events)]);
  if (earlier.length === 0 && present.listeners.size === 0 && !present.isBrokerEnabled) return () => [];
  return (event, position) => {
    const past = earlier.filter((one) => position !== undefined && includesPosition(one, position));
    return findAt(event, present, { past, earlier });
  };
}

async function readPresent(service: ServiceContext, reader: StorageReader, events: readonly RecordedEvent[]): Promise<Present> {
  const { logger } = service.runtime;
  // An unreadable webhook must not stop the delivery to others.
  const parseAll = <Wire>(records: readonly StoredRecord[]): readonly Wire[] =>
    records.flatMap(({ id, json }) => {
      try {
        return [JSON.parse(json) as Wire];
      } catch (error) {
        logger.error({ err: error, id }, "a record that decides about the receivers of events cannot be read");
        return [];
      }
    });
  const tenantIds = [...new Set(events.flatMap(({ tenantId }) => parseUuid(String(tenantId)) ?? []))];
  const [isBrokerEnabled, webhooks, tenants, links] = await Promise.all([
    readBrokerState(reader),
    reader.find(globalScope, webhooksTable, undefined),
    reader.find(globalScope, service.tenantsTable, isOneOf("id", tenantIds)),
    reader.find(globalScope, webhookTenantsTable, isOneOf("tenantId", tenantIds)),
  ]);
  return {
    listeners: new Map(parseAll<Webhook>(webhooks).map((webhook) => [webhook.id, toListener(webhook, [])])),
    tenants: new Map(parseAll<Tenant>(tenants).map((tenant) => [tenant.id, tenant])),
    linked: new Set(links.map(({ json, tenantId }) => `${tenantId} ${JSON.parse(json).webhookId}`)),
    isBrokerEnabled,
  };
}

/** What was changed since an event was recorded, the first change first, and all that is known of changes. */
interface Changes {
  readonly past: readonly EarlierReceivers[];
  readonly earlier: readonly EarlierReceivers[];
}

// Of each thing that decides, what was so before the first change since then; as it is now where nothing has changed it.
function findAt(event: RecordedEvent, present: Present, changes: Changes): readonly string[] {
  const { tenantId = "", type } = event;
  const { past } = changes;
  const isOfInstance = scopes.get(type) === "instance";
  const tenant = isOfInstance ? undefined : tenantAt(tenantId, present, changes);
  if (tenant?.disabled.includes(type)) return [];
  const applies = ({ global, id }: Listener): boolean => global || (!isOfInstance && isLinked(id, tenantId));
  const isLinked = (webhookId: string, id: string): boolean => {
    const change = past.find((one) => one.webhook?.id === webhookId || one.tenant?.id === id);
    if (change?.webhook?.id === webhookId) return change.webhook.listener?.tenantIds.includes(id) === true;
    return tenant?.webhookIds === undefined ? present.linked.has(`${id} ${webhookId}`) : tenant.webhookIds.includes(webhookId);
  };
  // A webhook that writes back what it receives would loop.
  const isEcho = ({ excludeActors = [] }: Listener): boolean => excludeActors.includes(event.actor?.id ?? "");
  const wanting = listenersAt(present, past).filter((one) => one.types.includes(type) && applies(one) && !isEcho(one));
  const isBrokerEnabled = past.find((one) => one.isBrokerEnabled !== undefined)?.isBrokerEnabled ?? present.isBrokerEnabled;
  return [...wanting.map(({ id }) => id), ...(isBrokerEnabled ? [brokerId] : [])];
}

function listenersAt({ listeners }: Present, past: readonly EarlierReceivers[]): readonly Listener[] {
  if (past.length === 0) return [...listeners.values()];
  const changed = new Map<string, Listener | undefined>();
  for (const { webhook } of past) if (webhook && !changed.has(webhook.id)) changed.set(webhook.id, webhook.listener);
  const same = [...listeners.values()].filter(({ id }) => !changed.has(id));
  return [...same, ...changed.values()].filter((one) => one !== undefined);
}

/** What a tenant says, or said. Without `webhookIds` the links are as they are now. */
type TenantAt = Pick<TenantState, "disabled"> & Partial<TenantState>;

// Of a tenant that is gone, and nothing is known of, no type was switched off.
function tenantAt(id: string, { tenants }: Present, { earlier, past }: Changes): TenantAt {
  const change = past.find(({ tenant }) => tenant?.id === id)?.tenant;
  if (change !== undefined) return change;
  const tenant = tenants.get(id);
  const isStaying = tenant !== undefined && tenant.state !== "PendingDelete";
  const last = isStaying ? undefined : earlier.findLast((one) => one.tenant?.id === id && one.tenant.isLast)?.tenant;
  return last ?? { disabled: tenant === undefined ? [] : disabledTypes(tenant) };
}

function isOneOf(column: string, values: readonly string[]): Filter {
  return { op: "in", column, values };
}
