import type { ServiceContext } from "../../operations/service-context.js";
import type { Transaction } from "../../ports/storage.js";
import { type DueEvent, type DueEvents, isOutboxFree, leaseEvents, leaseMilliseconds, noDueEvents } from "./claims.js";
import { isTransient, setLeasedAside } from "./set-aside.js";
import { eventsTable } from "./table.js";

/** How many records are to be taken out of the outbox. */
export interface OutboxLeaseOptions {
  readonly limit: number;
  /** Where only one process at a time may hold any: whether this one does. */
  readonly isHolder?: (() => boolean) | undefined;
}

/**
 * Takes the oldest events of the outbox, in one transaction. A record that makes the transaction fail is found, by trying fewer and fewer of
 * them, and set aside: all others are taken. Answers {@link noDueEvents} itself when another process holds some.
 */
export async function leaseFromOutbox(service: ServiceContext, taking: OutboxLeaseOptions): Promise<DueEvents> {
  try {
    return await takeOnce(service, taking);
  } catch (error) {
    if (isTransient(error)) throw error;
    return takeFew(service, taking);
  }
}

function takeOnce(service: ServiceContext, { isHolder, limit }: OutboxLeaseOptions): Promise<DueEvents> {
  // Records are leased one by one, but that nobody else has any is true in no single state: it takes an order of transactions.
  const isolation = isHolder === undefined ? "snapshot" : "serializable";
  const work = async (tx: Transaction): Promise<DueEvents> => {
    const mayTake = isHolder === undefined || isHolder() || (await isOutboxFree(service, tx));
    return mayTake ? leaseEvents(service, tx, limit) : noDueEvents;
  };
  return service.storage.transaction(work, { isolation });
}

// Fewer after each failure, more after each success: a bad record ends up alone.
async function takeFew(service: ServiceContext, taking: OutboxLeaseOptions): Promise<DueEvents> {
  const events: DueEvent[] = [];
  let [taken, size, isHeard, hasMore] = [0, taking.limit, true, true];
  while (taken < taking.limit) {
    try {
      const found = await takeOnce(service, { ...taking, limit: size });
      for (const one of found.events) events.push(one);
      taken += found.taken;
      ({ hasMore, isHeard } = found);
      if (!hasMore) break;
      size = Math.min(size * 2, taking.limit - taken);
    } catch (error) {
      if (isTransient(error)) throw error;
      if (size > 1) size = Math.floor(size / 2);
      else {
        await setFirstAside(service, error);
        taken++;
      }
    }
  }
  return { taken, hasMore, events, isHeard };
}

async function setFirstAside(service: ServiceContext, error: unknown): Promise<void> {
  const now = service.runtime.clock();
  const until = now + leaseMilliseconds;
  const leased = await service.storage.transaction((tx) => tx.lease(eventsTable, { limit: 1, now, until }));
  for (const record of leased) await setLeasedAside(service, { table: eventsTable, record, error }, { ...record, until });
}
