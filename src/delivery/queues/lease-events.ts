import type { Attempt } from "../../operations/events/approvals.js";
import { answersOf, toEvents, type WrittenEvent } from "../../operations/outbox/publish-event.js";
import { eventsTable } from "../../operations/outbox/tables.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, type LogRecord, type StoredRecord, type Transaction } from "../../ports/storage.js";
import { appendAll } from "../../shared/objects.js";
import {
  continueDelivery,
  type DeliveryState,
  type DueUnit,
  type FoundUnits,
  type OutboxQuery,
  startDelivery,
} from "../engine/delivery-state.js";
import { isTransient, ReceiversUnknown, setAsideRecord, setLeasedAside } from "../engine/set-aside.js";
import { brokerId } from "../integrations/earlier-receivers.js";
import { type FindReceivers, hasReceivers, readReceivers } from "../integrations/find-receivers.js";
import { eventLogUnits, type LeasedEvent, newEvent, readEvent } from "./leased-event.js";
import { insertAttempts, insertLogs, type LogWrite, readTenantsOfLogs } from "./stored-events.js";

type FoundEvents = FoundUnits<LeasedEvent>;

const { leaseMilliseconds } = eventLogUnits;

/** Another process holds leases. */
const blocked: FoundEvents = { count: 0, hasMore: false, units: [], hasReceivers: true, isBlocked: true };

/**
 * Leases the oldest events of the outbox, in one transaction. When that fails, retries with fewer and fewer records find the bad
 * one and set it aside.
 */
export async function leaseFromOutbox(service: ServiceContext, query: OutboxQuery): Promise<FoundEvents> {
  try {
    return await leaseOnce(service, query);
  } catch (error) {
    if (isTransient(error)) throw error;
    return leaseFew(service, query);
  }
}

function leaseOnce(service: ServiceContext, { isHolder, limit }: OutboxQuery): Promise<FoundEvents> {
  // The check that no other process holds leases needs serializable transactions.
  const isolation = isHolder === undefined ? "snapshot" : "serializable";
  const work = async (tx: Transaction): Promise<FoundEvents> => {
    const mayLease = isHolder === undefined || isHolder() || (await isOutboxFree(service, tx));
    return mayLease ? leaseEvents(service, tx, limit) : blocked;
  };
  // In the background: it would end a long write early again and again, since each commit has events.
  return service.storage.transaction(work, { isolation, isInBackground: true });
}

// Fewer after each failure, more after each success: a bad record ends up alone.
async function leaseFew(service: ServiceContext, query: OutboxQuery): Promise<FoundEvents> {
  const units: DueUnit<LeasedEvent>[] = [];
  let [count, size] = [0, query.limit];
  let last: FoundEvents = { ...blocked, hasMore: true, isBlocked: false };
  while (count < query.limit) {
    try {
      last = await leaseOnce(service, { ...query, limit: size });
      appendAll(units, last.units);
      count += last.count;
      if (!last.hasMore) break;
      size = Math.min(size * 2, query.limit - count);
    } catch (error) {
      if (isTransient(error)) throw error;
      if (size > 1) size = Math.floor(size / 2);
      else {
        await setFirstAside(service, error);
        count++;
      }
    }
  }
  return { ...last, count, units };
}

async function setFirstAside(service: ServiceContext, error: unknown): Promise<void> {
  const now = service.runtime.clock();
  const until = now + leaseMilliseconds;
  const leased = await service.storage.transaction((tx) => tx.lease(eventsTable, { limit: 1, now, until }));
  for (const record of leased) await setLeasedAside(service, { table: eventsTable, record, error }, { ...record, until });
}

/** The most bytes of events in one lease: handling them blocks everything else. */
const maxBytes = 1_048_576;

// Leases events with receivers: most are delivered in a moment, so that their log is written once. Removes events without
// receivers.
async function leaseEvents(service: ServiceContext, tx: Transaction, limit: number): Promise<FoundEvents> {
  const isHeard = await hasReceivers(tx).catch(toUnknown);
  const now = service.runtime.clock();
  const until = now + leaseMilliseconds;
  const records = isHeard
    ? await tx.lease(eventsTable, { limit, maxBytes, now, until })
    : await tx.take(eventsTable, limit, maxBytes);
  // Without receivers, an event may still have answers to approval requests to log.
  const { bad, found } = await readRecords(
    service,
    tx,
    records.filter(({ hidden }) => isHeard || hidden !== null),
  );
  const { staying = [], leaving = [] } = Object.groupBy(found, (one) => (isHeard && canStay(one) ? "staying" : "leaving"));
  const gone = [...leaving.map(({ position }) => position), ...bad.map(({ record }) => record.position)];
  if (isHeard && gone.length > 0) await tx.removeLeased(eventsTable, gone, until);
  for (const one of bad) await setAsideRecord(service, tx, { ...one, table: eventsTable });
  const leased = staying.flatMap(({ units, position }) => units.map((unit) => ({ unit, lease: { position, until } })));
  const logged = await logAtOnce({ service, tx }, leaving, until);
  const hasMore = records.length === limit || bytesOf(records) >= maxBytes;
  return { count: records.length, hasMore, units: [...leased, ...logged], hasReceivers: isHeard || records.length === 0 };
}

function bytesOf(records: readonly LogRecord[]): number {
  return records.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
}

function toUnknown(cause: unknown): never {
  throw isTransient(cause) ? cause : new ReceiversUnknown("The receivers of events could not be found.", { cause });
}

interface FoundRecord {
  readonly position: number;
  /** Responses of receivers that were asked before the event was stored. */
  readonly asked: readonly Attempt[] | undefined;
  readonly units: readonly LeasedEvent[];
}

interface FoundRecords {
  readonly found: readonly FoundRecord[];
  readonly bad: readonly { readonly record: LogRecord; readonly error: unknown }[];
}

async function readRecords(service: ServiceContext, tx: Transaction, records: readonly LogRecord[]): Promise<FoundRecords> {
  const bad: { readonly record: LogRecord; readonly error: unknown }[] = [];
  if (records.length === 0) return { found: [], bad };
  const keepGood = <From extends { readonly record: LogRecord }, To>(all: readonly From[], read: (one: From) => To): To[] =>
    all.flatMap((one) => {
      try {
        return [read(one)];
      } catch (error) {
        bad.push({ record: one.record, error });
        return [];
      }
    });
  const waiting = keepGood(
    records.map((record) => ({ record })),
    ({ record }) => ({ record, written: toEvents(record), asked: answersOf(record) }),
  );
  const events = waiting.flatMap(({ written }) => written.map(({ event }) => event));
  const findReceivers = await readReceivers(service, tx, events).catch(toUnknown);
  return { found: keepGood(waiting, (one) => toFound(service, one, findReceivers)), bad };
}

interface ReadRecord {
  readonly record: LogRecord;
  readonly written: readonly WrittenEvent[];
  readonly asked: readonly Attempt[] | undefined;
}

// The receivers were asked about the event itself, not its `.complete` twin.
function toFound(service: ServiceContext, { asked, record, written }: ReadRecord, findReceivers: FindReceivers): FoundRecord {
  const { position } = record;
  const now = service.runtime.clock();
  const units = written.flatMap((one, index) => {
    // The event itself was recorded because it is sent; not every version sends its twin.
    if (index > 0 && !service.availability.isSent(one.event.type)) return [];
    const state = toState(findReceivers(one.event, position), index === 0 ? asked : undefined, now);
    return state.length === 0 ? [] : [newEvent(one, state, sequenceOf(position, index), now)];
  });
  return { position, asked, units };
}

// Derived from the record, so each process uses the same ids. A record stands for two events at most.
function sequenceOf(position: number, index: number): number {
  return position * 2 - 1 + index;
}

// A broker is never asked.
function toState(receivers: readonly string[], asked: readonly Attempt[] | undefined, now: number): DeliveryState {
  if (asked === undefined) return startDelivery(receivers, now);
  const unasked = receivers.filter((id) => id === brokerId);
  return [...continueDelivery(asked), ...startDelivery(unasked, now)];
}

// Two events of one record end at different times, and the outbox lacks approval attempts.
function canStay({ asked, units }: FoundRecord): boolean {
  return asked === undefined && units.length === 1;
}

async function logAtOnce(
  call: LogWrite,
  records: readonly FoundRecord[],
  leasedUntil: number,
): Promise<readonly DueUnit<LeasedEvent>[]> {
  const units = records.flatMap((one) => one.units);
  const tenantOf = await readTenantsOfLogs(call, units);
  await insertLogs(call.tx, units, { leasedUntil, tenantOf });
  const tried = records.flatMap(({ asked: attempts = [], units: [unit] }) => (unit === undefined ? [] : [{ attempts, unit }]));
  await insertAttempts(call, tried, tenantOf);
  return units.map((unit) => ({ unit }));
}

async function isOutboxFree({ runtime }: ServiceContext, tx: Transaction): Promise<boolean> {
  const isLeased: Filter = { op: "compare", column: "leasedUntil", comparison: ">=", value: runtime.clock() };
  return (await tx.find(globalScope, eventsTable, isLeased, { limit: 1 })).length === 0;
}

/** The logged events about some subjects, by their ids, whose delivery is not over. */
export async function readRunning(service: ServiceContext, linkedObjectIds: readonly string[]): Promise<readonly LeasedEvent[]> {
  if (linkedObjectIds.length === 0) return [];
  const filters: readonly Filter[] = [
    { op: "compare", column: "dueInstant", comparison: ">=", value: 0 },
    { op: "in", column: "linkedObjectId", values: linkedObjectIds },
  ];
  return (await service.storage.find(globalScope, eventLogUnits.table, { op: "and", filters })).flatMap(tryReadEvent);
}

/** A stored event; empty for an invalid record, which is set aside when it is due. */
export function tryReadEvent(stored: StoredRecord): readonly LeasedEvent[] {
  try {
    return [readEvent(stored)];
  } catch {
    return [];
  }
}
