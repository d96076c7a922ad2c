import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, type LogRecord, type StoredRecord, type Transaction } from "../../ports/storage.js";
import { webhookEventLogsTable } from "../../resources/webhook-event-logs/table.js";
import { answersOf, toEvents, type WrittenEvent } from "../events/publish-event.js";
import type { Attempt } from "./attempt.js";
import { continueDelivery, type DeliveryState, startDelivery } from "./delivery.js";
import { brokerId } from "./earlier-receivers.js";
import { type FindReceivers, hasReceivers, readReceivers } from "./find-receivers.js";
import { type LeasedEvent, newClaim, readClaim, toRecord } from "./leased-event.js";
import { claimRecords, isTransient, type LeasedRecords, ReceiversUnknown, setAsideRecord } from "./set-aside.js";
import { insertAttempts, insertLogs, type OutboxLease, readTenantsOfLogs } from "./stored-events.js";
import { eventsTable } from "./table.js";

/** How long nobody else delivers what is claimed, in milliseconds: so long an event waits for a process that died. */
export const leaseMilliseconds = 30_000;

/** An event that is to be delivered. With a lease it is in the outbox still, and in no log yet. */
export interface DueEvent {
  readonly claim: LeasedEvent;
  readonly lease?: OutboxLease;
}

/** How many bytes of events are taken at once: what is read, parsed and written in one go keeps everybody else waiting. */
const maxBytes = 2 * 1_048_576;

/** What a look at the outbox found. */
export interface DueEvents {
  /** How many records were taken. */
  readonly taken: number;
  /** Whether there may be more in the outbox. */
  readonly hasMore: boolean;
  readonly events: readonly DueEvent[];
  /** Whether any receiver exists, for any event. */
  readonly isHeard: boolean;
}

/** Nothing was looked for. */
export const noDueEvents: DueEvents = { taken: 0, hasMore: false, events: [], isHeard: true };

/**
 * Takes the oldest events of the outbox that nobody has taken, in the transaction of its caller. What has a receiver is leased: most of it
 * is delivered in a moment, and then its log is written once. What nobody wants to hear of goes.
 */
export async function leaseEvents(service: ServiceContext, tx: Transaction, limit: number): Promise<DueEvents> {
  const isHeard = await hasReceivers(tx).catch(toUnknown);
  const now = service.runtime.clock();
  const until = now + leaseMilliseconds;
  const records = isHeard
    ? await tx.lease(eventsTable, { limit, maxBytes, now, until })
    : await tx.take(eventsTable, limit, maxBytes);
  // Where nobody is left, there are those still who were asked first.
  const { bad, found } = await findClaims(
    service,
    tx,
    records.filter(({ hidden }) => isHeard || hidden !== null),
  );
  const { staying = [], leaving = [] } = Object.groupBy(found, (one) => (isHeard && mayStay(one) ? "staying" : "leaving"));
  const gone = [...leaving.map(({ position }) => position), ...bad.map(({ record }) => record.position)];
  if (isHeard && gone.length > 0) await tx.removeLeased(eventsTable, gone, until);
  for (const one of bad) await setAsideRecord(service, tx, { ...one, table: eventsTable });
  const leased = staying.flatMap(({ claims, position }) => claims.map((claim) => ({ claim, lease: { position, until } })));
  const logged = await logAtOnce(service, tx, leaving, until);
  const hasMore = records.length === limit || bytesOf(records) >= maxBytes;
  return { taken: records.length, hasMore, events: [...leased, ...logged], isHeard: isHeard || records.length === 0 };
}

function bytesOf(records: readonly LogRecord[]): number {
  return records.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
}

function toUnknown(cause: unknown): never {
  throw isTransient(cause) ? cause : new ReceiversUnknown("The receivers of events could not be found.", { cause });
}

/** A record of the outbox with what it stands for. */
interface FoundRecord {
  readonly position: number;
  /** Responses of receivers that were asked before the event was stored. */
  readonly asked: readonly Attempt[] | undefined;
  readonly claims: readonly LeasedEvent[];
}

/** What was found in the outbox, and what makes no sense there. */
interface FoundRecords {
  readonly found: readonly FoundRecord[];
  readonly bad: readonly { readonly record: LogRecord; readonly error: unknown }[];
}

async function findClaims(service: ServiceContext, tx: Transaction, records: readonly LogRecord[]): Promise<FoundRecords> {
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

/** A record of the outbox, the events that it stands for, and what those said of the first who were asked. */
interface ReadRecord {
  readonly record: LogRecord;
  readonly written: readonly WrittenEvent[];
  readonly asked: readonly Attempt[] | undefined;
}

// The receivers were asked about the event; its `.complete` twin reports that the change is done.
function toFound(service: ServiceContext, { asked, record, written }: ReadRecord, findReceivers: FindReceivers): FoundRecord {
  const { position } = record;
  const now = service.runtime.clock();
  const claims = written.flatMap((one, index) => {
    // An event was recorded because it is sent; not every version sends its twin.
    if (index > 0 && !service.availability.isSent(one.event.type)) return [];
    const state = toState(findReceivers(one.event, position), index === 0 ? asked : undefined, now);
    return state.length === 0 ? [] : [newClaim(one, state, sequenceOf(position, index), now)];
  });
  return { position, asked, claims };
}

// Derived from the record, so each process that delivers the event uses the same ids. A record stands for two events at most.
function sequenceOf(position: number, index: number): number {
  return position * 2 - 1 + index;
}

// A broker is never asked.
function toState(receivers: readonly string[], asked: readonly Attempt[] | undefined, now: number): DeliveryState {
  if (asked === undefined) return startDelivery(receivers, now);
  const unasked = receivers.filter((id) => id === brokerId);
  return [...continueDelivery(asked), ...startDelivery(unasked, now)];
}

// Two events of one record end at different times, and of what was asked more is known than the outbox says.
function mayStay({ asked, claims }: FoundRecord): boolean {
  return asked === undefined && claims.length === 1;
}

async function logAtOnce(
  service: ServiceContext,
  tx: Transaction,
  records: readonly FoundRecord[],
  claimedUntil: number,
): Promise<readonly DueEvent[]> {
  const claims = records.flatMap((one) => one.claims);
  const tenantOf = await readTenantsOfLogs(service, tx, claims);
  await insertLogs(tx, claims, { claimedUntil, tenantOf });
  const attempts = records.flatMap(({ asked = [], claims: [claim] }) =>
    claim === undefined ? [] : asked.map((one) => ({ ...one, eventLogId: claim.log.id, tenantId: claim.tenantId })),
  );
  await insertAttempts(service, tx, attempts, tenantOf);
  return claims.map((claim) => ({ claim }));
}

/** Whether nobody has leased any event that is in the outbox still. */
export async function isOutboxFree({ runtime }: ServiceContext, tx: Transaction): Promise<boolean> {
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
  return (await service.storage.find(globalScope, webhookEventLogsTable, { op: "and", filters })).flatMap(readValidClaim);
}

/** A kept event; nothing for what makes no sense, which is set aside when it is due. */
export function readValidClaim(stored: StoredRecord): readonly LeasedEvent[] {
  try {
    return [readClaim(stored)];
  } catch {
    return [];
  }
}

/** Claims logged events that are due and that nobody has claimed, or whose claim is over. */
export async function claimDueEvents(service: ServiceContext, limit: number): Promise<LeasedRecords<LeasedEvent>> {
  const now = service.runtime.clock();
  const filters: readonly Filter[] = [
    { op: "compare", column: "dueInstant", comparison: "<=", value: now },
    { op: "compare", column: "claimedUntil", comparison: "<", value: now },
  ];
  const due: Filter = { op: "and", filters };
  const sort = [{ column: "dueInstant", direction: "asc" } as const];
  // Mostly there are none; a plain read finds that out without blocking writers.
  const [first] = await service.storage.find(globalScope, webhookEventLogsTable, due, { sort, limit: 1 });
  if (first === undefined) return { claimed: [], hasMore: false };
  return claimRecords(service, {
    table: webhookEventLogsTable,
    limit,
    due,
    claim: (stored) => {
      const claim = readClaim(stored);
      const claimed = { ...claim, version: claim.version + 1 };
      return { claimed, record: toRecord(claimed, now + leaseMilliseconds) };
    },
  });
}
