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
 * Finds the receivers of an event: webhook ids, and the broker (docs/reference/events.md#receivers-of-an-event). With a position
 * in the outbox: those subscribed when it was recorded there; without one, the current subscribers.
 */
export type FindReceivers = (event: RecordedEvent, position?: number) => readonly string[];

const scopes: ReadonlyMap<string, string> = new Map(eventTypes.map(({ name, scope }) => [name, scope]));

/** Whether any receiver exists for any event, or existed when waiting events were recorded. */
export async function hasReceivers(reader: StorageReader): Promise<boolean> {
  const [first] = await reader.find(globalScope, webhooksTable, undefined, { limit: 1 });
  if (first !== undefined || (await readBrokerState(reader))) return true;
  return (await readEarlierReceivers(reader)).length > 0;
}

interface Present {
  readonly listeners: ReadonlyMap<string, Listener>;
  readonly tenants: ReadonlyMap<string, Tenant>;
  readonly linked: ReadonlySet<string>;
  readonly isBrokerEnabled: boolean;
}

/** Reads the settings that select the receivers of events: five statements sent together, for any number of events. */
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

/** The changes since an event was recorded, and all known changes, in order. */
interface Changes {
  readonly past: readonly EarlierReceivers[];
  readonly earlier: readonly EarlierReceivers[];
}

// For each setting, its state before the first change since then, or the current one.
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
  // A webhook that writes back the events that it receives would loop.
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

/** The settings of a tenant at the time of an event. Without `webhookIds`, the current links apply. */
type TenantAt = Pick<TenantState, "disabled"> & Partial<TenantState>;

// A removed tenant without stored state has disabled no type.
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
