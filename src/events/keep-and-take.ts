import type { ServiceContext } from "../operations/service-context.js";
import type { Transaction } from "../ports/storage.js";
import { webhookEventLogsTable } from "../resources/webhook-event-logs/table.js";
import { type ClaimedEvent, toRecord } from "./claimed-event.js";
import { leaseMilliseconds, nothingTaken, type TakenEvent, type TakenEvents, takeEvents } from "./claims.js";
import { type EventProgress, keepProgress } from "./kept-events.js";
import { isPassing, setAside, setLeasedAside } from "./set-aside.js";
import { eventsTable } from "./table.js";

/** How far events are that have ended, and that take long. */
export interface Progress {
  readonly ended: readonly EventProgress[];
  readonly slow: readonly EventProgress[];
}

/** What is to be taken out of the outbox: so many records, while nobody else is the one to take. */
export interface Taking {
  readonly limit: number;
  readonly mayTake: (tx: Transaction) => Promise<boolean>;
}

/** Takes nothing: for a deliverer that stops. */
export const takeNothing: Taking = { limit: 0, mayTake: async () => false };

/** What was kept of events that take long, and what was taken. */
export interface KeptAndTaken {
  readonly kept: readonly ClaimedEvent[];
  readonly found: TakenEvents;
}

/**
 * Keeps how far events are and takes others, in one transaction: the flush to disk is most of what either costs. A record that makes the
 * transaction fail is found, by trying fewer and fewer of them, and set aside: all others go on.
 */
export async function keepAndTake(service: ServiceContext, progress: Progress, taking: Taking): Promise<KeptAndTaken> {
  const claimedUntil = (): number => service.runtime.clock() + leaseMilliseconds;
  try {
    return await service.storage.transaction(async (tx) => {
      await keepProgress(service, tx, progress.ended, 0);
      const kept = await keepProgress(service, tx, progress.slow, claimedUntil());
      return { kept, found: await take(service, tx, taking) };
    });
  } catch (error) {
    if (isPassing(error)) throw error;
    await keepFew(service, progress.ended, 0);
    const kept = await keepFew(service, progress.slow, claimedUntil());
    return { kept, found: await takeFew(service, taking) };
  }
}

async function take(service: ServiceContext, tx: Transaction, { limit, mayTake }: Taking): Promise<TakenEvents> {
  return limit > 0 && (await mayTake(tx)) ? takeEvents(service, tx, limit) : nothingTaken;
}

async function keepFew(
  service: ServiceContext,
  events: readonly EventProgress[],
  claimedUntil: number,
): Promise<readonly ClaimedEvent[]> {
  const [first] = events;
  if (first === undefined) return [];
  try {
    return await service.storage.transaction((tx) => keepProgress(service, tx, events, claimedUntil));
  } catch (error) {
    if (isPassing(error)) throw error;
    if (events.length === 1) {
      await setEventAside(service, first, error);
      return [];
    }
    const half = Math.ceil(events.length / 2);
    const kept = await keepFew(service, events.slice(0, half), claimedUntil);
    return [...kept, ...(await keepFew(service, events.slice(half), claimedUntil))];
  }
}

async function setEventAside(service: ServiceContext, { claim, lease }: EventProgress, error: unknown): Promise<void> {
  const { hidden, json } = toRecord(claim, 0);
  const { id } = claim.log;
  if (lease === undefined) return setAside(service, { table: webhookEventLogsTable, record: { id, hidden, json }, error });
  const record = { id, hidden: json, json: claim.wire };
  return setLeasedAside(service, { table: eventsTable, record, error }, lease);
}

// Fewer after each failure, more after each success: a bad record ends up alone.
async function takeFew(service: ServiceContext, taking: Taking): Promise<TakenEvents> {
  const events: TakenEvent[] = [];
  let [taken, size, isHeard] = [0, taking.limit, true];
  while (taken < taking.limit) {
    try {
      const found = await service.storage.transaction((tx) => take(service, tx, { ...taking, limit: size }));
      for (const one of found.events) events.push(one);
      taken += found.taken;
      isHeard = found.isHeard;
      if (found.taken < size) break;
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
  return { taken, events, isHeard };
}

async function setFirstAside(service: ServiceContext, error: unknown): Promise<void> {
  const now = service.runtime.clock();
  const until = now + leaseMilliseconds;
  const leased = await service.storage.transaction((tx) => tx.lease(eventsTable, { limit: 1, now, until }));
  for (const record of leased) await setLeasedAside(service, { table: eventsTable, record, error }, { ...record, until });
}
