import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, type SearchPage, type StoredRecord, type Transaction } from "../../ports/storage.js";
import { webhookEventLogsTable } from "../../records/webhook-event-logs/family.js";
import { webhooksTable } from "../../records/webhooks/family.js";
import type { Webhook } from "../../records/webhooks/schema.js";
import { receiverRemoved, stopRetries } from "../engine/delivery-state.js";
import { brokerId } from "../integrations/earlier-receivers.js";
import { readBrokerState } from "../integrations/rules.js";
import { tryReadEvent } from "./lease-events.js";
import { type LeasedEvent, toEventRecord, withAttempts } from "./leased-event.js";
import { insertAttempts, readTenantsOfLogs } from "./stored-events.js";

const batch = 100;

const isWaiting: Filter = { op: "compare", column: "dueInstant", comparison: ">=", value: 0 };

/** Returns whether a receiver gets no more events of a type. */
type IsEnded = (type: string) => boolean;

/**
 * Ends the deliveries that wait for a retry at a removed or disabled receiver as failed. Calls in flight, and units of a crashed
 * process, end with their next attempt.
 */
export async function endDeliveries(service: ServiceContext, receiverId: string): Promise<void> {
  const isEnded = await readEnd(service, receiverId);
  const waits = (unit: LeasedEvent): boolean =>
    isEnded(unit.log.eventType) && unit.state.some((one) => one.receiverId === receiverId && one.result === "Running");
  let after: SearchPage["last"];
  do {
    const page = { filter: isWaiting, sort: [{ column: "dueInstant", direction: "asc" }], limit: batch, offset: 0 } as const;
    const { last, records } = await service.storage.search(globalScope, webhookEventLogsTable, {
      ...page,
      ...(after && { after }),
    });
    const ids = records.filter((stored) => tryReadEvent(stored).some(waits)).map(({ id }) => id);
    if (ids.length > 0) await service.storage.transaction((tx) => endAll(service, tx, { ids, receiverId, waits }));
    after = records.length < batch ? undefined : last;
  } while (after !== undefined);
}

async function readEnd({ storage }: ServiceContext, receiverId: string): Promise<IsEnded> {
  if (receiverId === brokerId) {
    const isEnabled = await readBrokerState(storage);
    return () => !isEnabled;
  }
  const stored: StoredRecord | undefined = await storage.retrieve(globalScope, webhooksTable, receiverId);
  const { eventsEnabled = {} }: Partial<Webhook> = stored === undefined ? {} : JSON.parse(stored.json);
  return (type) => eventsEnabled[type] !== true;
}

interface Ending {
  readonly ids: readonly string[];
  readonly receiverId: string;
  readonly waits: (unit: LeasedEvent) => boolean;
}

async function endAll(service: ServiceContext, tx: Transaction, { ids, receiverId, waits }: Ending): Promise<void> {
  const now = service.runtime.clock();
  const filters: readonly Filter[] = [
    { op: "in", column: "id", values: ids },
    { op: "compare", column: "claimedUntil", comparison: "<", value: now },
  ];
  const found = await tx.find(globalScope, webhookEventLogsTable, { op: "and", filters });
  const units = found.flatMap(tryReadEvent).filter(waits);
  const end = { receiverId, startInstant: now, endInstant: now, isDelivered: false, exception: receiverRemoved.exception };
  for (const unit of units) {
    const counted = withAttempts({ ...unit, state: stopRetries(unit.state, receiverId) }, [end]);
    const ended = { ...counted, log: { ...counted.log, lastUpdateInstant: now }, version: unit.version + 1 };
    await tx.update(globalScope, webhookEventLogsTable, toEventRecord(ended, 0));
  }
  const tried = units.map((unit) => ({ unit, attempts: [end] }));
  await insertAttempts({ service, tx }, tried, await readTenantsOfLogs({ service, tx }, units));
  tx.afterCommit(() => {
    for (const _ended of units) service.measurements.deliveries.note("receiverRemoved");
  });
}
