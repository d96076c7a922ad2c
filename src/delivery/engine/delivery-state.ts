import type { Attempt } from "../../operations/events/approvals.js";
import type { RetryPolicy } from "../../ports/event-transport.js";
import type { RecordToStore, StoredRecord, Table, Transaction } from "../../ports/storage.js";

/** The delivery state of a unit: pure, so that it can be stored, leased by another process and resumed. */

/** The result of a call to a receiver. `isFinal`: it gets no other attempt, such as a receiver that was removed. */
export interface AttemptResult extends Pick<Attempt, "exception" | "isDelivered" | "statusCode" | "url"> {
  readonly isFinal?: boolean | undefined;
}

/** What becomes of an event whose receiver was removed or disabled since: it has failed there, and is not tried again. */
export const receiverRemoved: AttemptResult = Object.freeze({ isDelivered: false, isFinal: true, exception: "receiverRemoved" });

/** One receiver of a unit: a webhook by its id, the broker, or what sends mails or text messages. */
export interface ReceiverState {
  readonly receiverId: string;
  readonly attempts: number;
  readonly result: "Running" | "Succeeded" | "Failed";
  /** When it is tried next, in epoch milliseconds; meaningless once the result stands. */
  readonly dueInstant: number;
  /** Of a receiver that was asked first and had a say: so many attempts there are, one right after the other. */
  readonly maxAttempts?: number | undefined;
}

/** The delivery of one unit to all of its receivers. */
export type DeliveryState = readonly ReceiverState[];

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Ten attempts over about 75 hours (docs/reference/webhooks.md#retries). */
export const defaultRetryPolicy: RetryPolicy = Object.freeze({
  delaysMilliseconds: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
  jitter: 0.1,
});

/** The delivery of a unit that no receiver has been sent yet. */
export function startDelivery(receiverIds: readonly string[], now: number): DeliveryState {
  return receiverIds.map((receiverId) => ({ receiverId, attempts: 0, result: "Running", dueInstant: now }));
}

/** An attempt at asking, and up to three more (docs/reference/webhooks.md#transactional-events). */
const maxAskedAttempts = 4;

/** The delivery of an event whose receivers were asked before its cause was stored. */
export function continueDelivery(ends: readonly AttemptEnd[]): DeliveryState {
  return ends.map(({ endInstant, isDelivered, receiverId }) => ({
    receiverId,
    attempts: 1,
    result: isDelivered ? "Succeeded" : "Running",
    dueInstant: endInstant,
    maxAttempts: maxAskedAttempts,
  }));
}

/** The receivers that are due. */
export function dueReceivers(state: DeliveryState, now: number): DeliveryState {
  return state.filter(({ result, dueInstant }) => result === "Running" && dueInstant <= now);
}

/** When the next receiver is due; null when there is nothing left to do. */
export function nextInstant(state: DeliveryState): number | null {
  const waiting = state.filter(({ result }) => result === "Running");
  return waiting.length === 0 ? null : waiting.reduce((first, { dueInstant }) => Math.min(first, dueInstant), Number.MAX_VALUE);
}

type AttemptEnd = Pick<Attempt, "endInstant" | "isDelivered" | "receiverId">;

/** The delivery after an attempt. `random` is from 0 to 1. */
export function afterAttempt(state: DeliveryState, end: AttemptEnd, policy: RetryPolicy, random: number): DeliveryState {
  return state.map((receiver) => (receiver.receiverId === end.receiverId ? afterTry(receiver, end, policy, random) : receiver));
}

function afterTry(
  receiver: ReceiverState,
  { endInstant, isDelivered }: AttemptEnd,
  { delaysMilliseconds, jitter }: RetryPolicy,
  random: number,
): ReceiverState {
  const attempts = receiver.attempts + 1;
  if (isDelivered) return { ...receiver, attempts, result: "Succeeded" };
  if (receiver.maxAttempts !== undefined)
    return attempts < receiver.maxAttempts
      ? { ...receiver, attempts, dueInstant: endInstant }
      : { ...receiver, attempts, result: "Failed" };
  const delay = delaysMilliseconds[receiver.attempts];
  if (delay === undefined) return { ...receiver, attempts, result: "Failed" };
  return { ...receiver, attempts, dueInstant: endInstant + Math.round(delay * (1 + jitter * random)) };
}

/** The delivery once a receiver is gone: it gets no other attempt. */
export function stopRetries(state: DeliveryState, receiverId: string): DeliveryState {
  return state.map((one) => (one.receiverId === receiverId ? { ...one, attempts: one.attempts + 1, result: "Failed" } : one));
}

/** How the delivery ended: succeeded when every receiver has the event. */
export function resultOf(state: DeliveryState): ReceiverState["result"] {
  if (state.some(({ result }) => result === "Running")) return "Running";
  return state.every(({ result }) => result === "Succeeded") ? "Succeeded" : "Failed";
}

/** What is delivered as one: an event, a mail or a text message. This process delivers it until its lease ends. */
export interface LeasedUnit {
  /** What its record shows. */
  readonly log: { readonly id: string };
  readonly tenantId: string | null;
  /** Of the stored record. */
  readonly version: number;
  /** How far each of its receivers is. */
  readonly state: DeliveryState;
  /** What is sent, as it is stored. */
  readonly wire: string;
}

/** Where an event is in the outbox, and until when nobody else takes it from there. */
export interface OutboxLease {
  readonly position: number;
  readonly until: number;
}

/** A unit that is to be delivered. With a lease it is in the outbox still, and in no log yet. */
export interface DueUnit<Unit> {
  readonly unit: Unit;
  readonly lease?: OutboxLease | undefined;
}

/** How far a unit is that was delivered or tried. */
export interface Progress<Unit> extends DueUnit<Unit> {
  /** The attempts that are not stored yet. */
  readonly attempts: readonly Attempt[];
}

/** A table in which units wait for their next attempt: they have the columns `dueInstant` and `claimedUntil`, the end of the lease. */
export interface UnitTable<Unit> {
  readonly table: Table;
  /** How long no other process delivers what is leased, in milliseconds: so long a unit waits for a process that died. */
  readonly leaseMilliseconds: number;
  /** @throws Error when the record makes no sense. */
  readonly read: (stored: StoredRecord) => Unit;
  /** The record of a unit that is leased until an instant; 0 gives it back. */
  readonly toRecord: (unit: Unit, leasedUntil: number) => RecordToStore;
}

/** How many records are to be leased in the outbox. */
export interface OutboxQuery {
  readonly limit: number;
  /** Where only one process at a time may hold leases: whether this one does. */
  readonly isHolder?: (() => boolean) | undefined;
}

/** What a poll of the outbox found. */
export interface FoundUnits<Unit> {
  /** How many records were leased. */
  readonly count: number;
  /** Whether there may be more in the outbox. */
  readonly hasMore: boolean;
  readonly units: readonly DueUnit<Unit>[];
  /** Whether any receiver exists, for any unit. */
  readonly hasReceivers: boolean;
  /** Whether another process holds leases, so that this one may take none. */
  readonly isBlocked?: boolean;
}

/** Units of one kind: where they wait, how they are stored, and how they are sent. */
export interface DeliveryQueue<Unit extends LeasedUnit> extends UnitTable<Unit> {
  /** What they are, in log lines: `events`. */
  readonly name: string;
  /** Calls of one receiver at a time. */
  readonly concurrency: number;
  /** So many units are under way when no more are leased. */
  readonly maxOpen: number;
  /** How many units that are due are leased at once. */
  readonly maxDue: number;
  /** Where units wait that no receiver was sent yet; absent where those are in the table too. */
  readonly outbox?: {
    readonly lease: (query: OutboxQuery) => Promise<FoundUnits<Unit>>;
    /** Sets a unit aside whose record makes transactions fail. */
    readonly setAside: (unit: Unit, lease: OutboxLease, error: unknown) => Promise<void>;
  };
  /** Calls one receiver. Never rejects. */
  readonly send: (receiverId: string, unit: Unit) => Promise<AttemptResult>;
  /** A unit with attempts counted that its record does not know. */
  readonly withAttempts: (unit: Unit, attempts: readonly Attempt[]) => Unit;
  /** Stores units in the caller's transaction; returns those that this process still leases, as stored. */
  readonly save: (tx: Transaction, progress: readonly Progress<Unit>[], leasedUntil: number) => Promise<readonly Unit[]>;
  /** Closes what the calls kept open. */
  readonly close?: () => Promise<void>;
}
