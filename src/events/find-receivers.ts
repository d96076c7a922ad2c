import type { ServiceContext } from "../operations/service-context.js";
import { type Filter, globalScope, type StorageReader, type StoredRecord } from "../ports/storage.js";
import { loadIntegrations } from "../resources/integrations/rules.js";
import type { Tenant } from "../resources/tenants/schema.js";
import type { Webhook } from "../resources/webhooks/schema.js";
import { webhooksTable, webhookTenantsTable } from "../resources/webhooks/table.js";
import { eventTypes } from "./event-types.js";
import type { RecordedEvent } from "./recorded-event.js";

/** Tells whom an event goes to: webhooks by their ids, and the broker (facts.md 3.2). */
export type FindReceivers = (event: RecordedEvent) => readonly string[];

/** The broker among the receivers of events. */
export const brokerId = "broker";

const scopes: ReadonlyMap<string, string> = new Map(eventTypes.map(({ name, scope }) => [name, scope]));

/** Whether there is any receiver, for whatever event. */
export async function hasReceivers(service: ServiceContext, reader: StorageReader): Promise<boolean> {
  const [first] = await reader.find(globalScope, webhooksTable, undefined, { limit: 1 });
  return first !== undefined || (await loadIntegrations(service, reader)).broker.enabled;
}

/** Reads what decides about the receivers of some events, as it is at this moment: five statements, however many events. */
export async function readReceivers(
  service: ServiceContext,
  reader: StorageReader,
  events: readonly RecordedEvent[],
): Promise<FindReceivers> {
  const { availability, tenantsTable } = service;
  const { broker } = await loadIntegrations(service, reader);
  const webhooks = (await reader.find(globalScope, webhooksTable, undefined)).map(parse<Webhook>);
  if (webhooks.length === 0 && !broker.enabled) return () => [];
  const tenantIds = [...new Set(events.flatMap(({ tenantId }) => tenantId ?? []))];
  const tenants = (await reader.find(globalScope, tenantsTable, isOneOf("id", tenantIds))).map(parse<Tenant>);
  const links = await reader.find(globalScope, webhookTenantsTable, isOneOf("tenantId", tenantIds));
  const linked = new Set(links.map(({ json, tenantId }) => `${tenantId} ${JSON.parse(json).webhookId}`));
  const tenantsById = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  return (event) => {
    const { tenantId, type } = event;
    if (!availability.isSent(type)) return [];
    const tenant = tenantsById.get(tenantId ?? "");
    const isOfInstance = scopes.get(type) === "instance";
    if (!isOfInstance && tenant?.eventConfiguration.events[type]?.enabled === false) return [];
    if (!isOfInstance && tenant === undefined) return [];
    const applies = (webhook: Webhook): boolean => webhook.global || linked.has(`${tenantId} ${webhook.id}`);
    // Whoever hears of its own changes, and passes them on, would go round in circles.
    const isEcho = ({ excludeActors = [] }: Webhook): boolean => excludeActors.includes(event.actor?.id ?? "");
    const isWanted = (webhook: Webhook): boolean => webhook.eventsEnabled[type] === true && applies(webhook) && !isEcho(webhook);
    const wanting = webhooks.filter(isWanted).map(({ id }) => id);
    return broker.enabled ? [...wanting, brokerId] : wanting;
  };
}

function parse<Wire>({ json }: StoredRecord): Wire {
  return JSON.parse(json) as Wire;
}

function isOneOf(column: string, values: readonly string[]): Filter {
  return { op: "in", column, values };
}
