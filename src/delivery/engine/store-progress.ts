import type { ServiceContext } from "../../operations/service-context.js";
import { webhookEventLogsTable } from "../../resources/webhook-event-logs/table.js";
import { leaseMilliseconds } from "./claims.js";
import { type LeasedEvent, toRecord } from "./leased-event.js";
import { isTransient, setAside, setLeasedAside } from "./set-aside.js";
import { type EventProgress, saveProgress } from "./stored-events.js";
import { eventsTable } from "./table.js";

/** How far events are that have ended, and that take long. */
export interface Progress {
  readonly ended: readonly EventProgress[];
  readonly slow: readonly EventProgress[];
}

/**
 * Stores how far events are, in one transaction; answers those that take long as they are stored. A record that makes the transaction fail is
 * found, by trying fewer and fewer of them, and set aside: all others are stored.
 */
export async function storeProgress(service: ServiceContext, { ended, slow }: Progress): Promise<readonly LeasedEvent[]> {
  const claimedUntil = (): number => service.runtime.clock() + leaseMilliseconds;
  try {
    return await service.storage.transaction(
      async (tx) => {
        await saveProgress(service, tx, ended, 0);
        return saveProgress(service, tx, slow, claimedUntil());
      },
      { isolation: "snapshot" },
    );
  } catch (error) {
    if (isTransient(error)) throw error;
    await storeFew(service, ended, 0);
    return storeFew(service, slow, claimedUntil());
  }
}

async function storeFew(
  service: ServiceContext,
  events: readonly EventProgress[],
  claimedUntil: number,
): Promise<readonly LeasedEvent[]> {
  const [first] = events;
  if (first === undefined) return [];
  try {
    return await service.storage.transaction((tx) => saveProgress(service, tx, events, claimedUntil), { isolation: "snapshot" });
  } catch (error) {
    if (isTransient(error)) throw error;
    if (events.length === 1) {
      await setEventAside(service, first, error);
      return [];
    }
    const half = Math.ceil(events.length / 2);
    const stored = await storeFew(service, events.slice(0, half), claimedUntil);
    return [...stored, ...(await storeFew(service, events.slice(half), claimedUntil))];
  }
}

async function setEventAside(service: ServiceContext, { claim, lease }: EventProgress, error: unknown): Promise<void> {
  const { hidden, json } = toRecord(claim, 0);
  const { id } = claim.log;
  if (lease === undefined) return setAside(service, { table: webhookEventLogsTable, record: { id, hidden, json }, error });
  const record = { id, hidden: json, json: claim.wire };
  return setLeasedAside(service, { table: eventsTable, record, error }, lease);
}
