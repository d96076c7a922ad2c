import type { ServiceContext } from "../../operations/service-context.js";
import type { Transaction } from "../../ports/storage.js";
import { isOutboxFree, leaseMilliseconds, nothingTaken, type TakenEvent, type TakenEvents, takeEvents } from "./claims.js";
import { isPassing, setLeasedAside } from "./set-aside.js";
import { eventsTable } from "./table.js";

/** How many records are to be taken out of the outbox. */
export interface Taking {
  readonly limit: number;
  /** Where only one process at a time may hold any: whether this one does. */
  readonly isHolder?: (() => boolean) | undefined;
}

/**
 * Takes the oldest events of the outbox, in one transaction. A record that makes the transaction fail is found, by trying fewer and fewer of
 * them, and set aside: all others are taken. Answers {@link nothingTaken} itself when another process holds some.
 */
export async function takeFromOutbox(service: ServiceContext, taking: Taking): Promise<TakenEvents> {
  try {
    return await takeOnce(service, taking);
  } catch (error) {
    if (isPassing(error)) throw error;
    return takeFew(service, taking);
  }
}

function takeOnce(service: ServiceContext, { isHolder, limit }: Taking): Promise<TakenEvents> {
  // Records are leased one by one, but that nobody else has any is true in no single state: it takes an order of transactions.
  const isolation = isHolder === undefined ? "snapshot" : "serializable";
  const work = async (tx: Transaction): Promise<TakenEvents> => {
    const mayTake = isHolder === undefined || isHolder() || (await isOutboxFree(service, tx));
    return mayTake ? takeEvents(service, tx, limit) : nothingTaken;
  };
  return service.storage.transaction(work, { isolation });
}

// Fewer after each failure, more after each success: a bad record ends up alone.
async function takeFew(service: ServiceContext, taking: Taking): Promise<TakenEvents> {
  const events: TakenEvent[] = [];
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
      if (isPassing(error)) throw error;
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
