import { readBrokerState } from "../../delivery/integrations/rules.js";
import type { TypeReceivers } from "../../operations/events/event-settings.js";
import { parseRecord } from "../../operations/family/family.js";
import { deviceEvents } from "../../people/users/login-history.js";
import { globalScope, type StorageReader } from "../../ports/storage.js";
import { webhooksTable, webhookTenantsTable } from "../../records/webhooks/family.js";
import type { Webhook } from "../../records/webhooks/schema.js";

/** Reads the receivers of events about devices: two statements, and a third if some webhooks are limited to tenants. */
export async function readLoginReceivers(reader: StorageReader): Promise<TypeReceivers> {
  const [hasBroker, stored] = await Promise.all([readBrokerState(reader), reader.find(globalScope, webhooksTable, undefined)]);
  const wanting = stored.map(parseRecord<Webhook>).filter((webhook) => typesOf(webhook).length > 0);
  const everywhere = [hasBroker ? deviceEvents : [], wanting.filter(({ global }) => global).flatMap(typesOf)].flat();
  const byTenant = new Map<string, Set<string>>();
  const local = new Map(wanting.flatMap((webhook) => (webhook.global ? [] : [[webhook.id, typesOf(webhook)] as const])));
  const isLocal = { op: "in", column: "webhookId", values: [...local.keys()] } as const;
  const links = local.size === 0 ? [] : await reader.find(globalScope, webhookTenantsTable, isLocal);
  for (const link of links) {
    const tenantId = link.tenantId ?? "";
    const types = local.get(parseRecord<{ readonly webhookId: string }>(link).webhookId) ?? [];
    byTenant.set(tenantId, new Set([...(byTenant.get(tenantId) ?? []), ...types]));
  }
  return { everywhere: new Set(everywhere), byTenant };
}

function typesOf({ eventsEnabled }: Webhook): readonly string[] {
  return deviceEvents.filter((type) => eventsEnabled[type] === true);
}
