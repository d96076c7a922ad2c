import { newEvent, toAttemptRecord, toEventRecord } from "../../src/delivery/queues/leased-event.js";
import { globalScope } from "../../src/ports/storage.js";
import { auditLogsTable } from "../../src/records/audit-logs/family.js";
import { eventLogsTable } from "../../src/records/event-logs/family.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../../src/records/webhook-event-logs/family.js";
import type { StagedRecord } from "./matrix-stage.js";
import { uuid, type World } from "./world.js";

/** Stores logs, past the API, and adds them to the stage. */
export async function addLogs(world: World, tenantId: string, records: Map<string, StagedRecord>): Promise<void> {
  await addDelivery(world, tenantId, records);
  await addEventLog(world, records);
  await addAuditLog(world, tenantId, records);
}

// The API creates no deliveries, and the webhook's address is not reachable.
async function addDelivery(world: World, tenantId: string, records: Map<string, StagedRecord>): Promise<void> {
  const newId = (): string => crypto.randomUUID();
  const event = { createInstant: 1, id: newId(), tenantId, type: "group.create" };
  const attempt = { receiverId: newId(), startInstant: 1, endInstant: 2, isDelivered: true };
  const stored = toAttemptRecord(newId(), attempt, { eventLogId: event.id, tenantId });
  await world.storage.transaction(async (tx) => {
    await tx.insert(globalScope, webhookEventLogsTable, [
      toEventRecord(newEvent({ event, wire: JSON.stringify({ event }) }, [], 1, 1), 0),
    ]);
    await tx.insert(globalScope, webhookAttemptLogsTable, [stored]);
  });
  const params = { webhookEventLogId: event.id, webhookAttemptLogId: stored.id };
  const none = {};
  records.set("webhookEventLogs", {
    params,
    body: none,
    newBody: none,
    isShared: false,
    bodies: { search: none, resend: none, replay: { search: { start: 1 } as never } },
  });
  const webhook = records.get("webhooks");
  if (webhook === undefined) throw new Error("There is no webhook.");
  await world.identity.webhooks.patch({
    webhookId: webhook.params.webhookId ?? "",
    patch: { webhook: { url: "http://127.0.0.1:9/" } },
  });
  records.set("webhooks", { ...webhook, bodies: { ...webhook.bodies, test: none } });
}

// The API creates no event logs.
async function addEventLog({ storage }: World, records: Map<string, StagedRecord>): Promise<void> {
  const [known] = await storage.find(globalScope, eventLogsTable, undefined, { limit: 1 });
  const columns = { number: 777, messageFolded: "noted", messageStart: "noted", type: "Debug" };
  const json = '{"id":777,"insertInstant":0,"message":"Noted","type":"Debug"}';
  const record = {
    id: uuid(778),
    tenantId: null,
    version: 1,
    insertInstant: 0,
    lastUpdateInstant: 0,
    json,
    hidden: null,
    columns,
  };
  if (known === undefined) await storage.transaction((tx) => tx.insert(globalScope, eventLogsTable, [record]));
  records.set("eventLogs", { params: { eventLogId: "777" }, body: {}, newBody: {}, isShared: true });
}

// Its number is unique: tests search responses for data of the other tenant.
async function addAuditLog({ storage }: World, tenantId: string, records: Map<string, StagedRecord>): Promise<void> {
  const staged = await storage.find(globalScope, auditLogsTable, undefined);
  const number = 877_665_544_332 + staged.length;
  const entry = { id: number, insertInstant: 0, insertUser: "Ann", message: "Audited", tenantId };
  const record = {
    id: crypto.randomUUID(),
    tenantId,
    version: 1,
    insertInstant: 0,
    lastUpdateInstant: 0,
    json: JSON.stringify(entry),
    hidden: null,
    columns: {
      number,
      insertUserFolded: "ann",
      messageFolded: "audited",
      messageStart: "audited",
      newValueFolded: null,
      oldValueFolded: null,
      reasonFolded: null,
    },
  };
  await storage.transaction((tx) => tx.insert(globalScope, auditLogsTable, [record]));
  const body = { auditLog: { message: "Audited too" } };
  records.set("auditLogs", { params: { auditLogId: String(number) }, body, newBody: body, isShared: false });
}
