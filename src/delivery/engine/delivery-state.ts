import type { Attempt } from "../../operations/events/approvals.js";
import type { RetryPolicy } from "../../ports/event-transport.js";
import type { RecordToStore, StoredRecord, Table, Transaction } from "../../ports/storage.js";

/** The delivery state of a unit: pure data, to be stored, leased by another process and resumed. */

/** The result of a call to a receiver. `isFinal`: no further attempt. */
export interface AttemptResult extends Pick<Attempt, "exception" | "isDelivered" | "statusCode" | "url"> {
  readonly isFinal?: boolean | undefined;
}

/** The result for a receiver that has been removed or disabled since the event. */
export const receiverRemoved: AttemptResult = Object.freeze({ isDelivered: false, isFinal: true, exception: "receiverRemoved" });

/** The delivery to one receiver: a webhook's id, the broker, or the sender of mails or text messages. */
export interface ReceiverState {
  readonly receiverId: string;
  readonly attempts: number;
  readonly result: "Running" | "Succeeded" | "Failed";
  /** The next attempt, in epoch milliseconds; meaningless after the final result. */
  readonly dueInstant: number;
  /** For a receiver that was asked for approval: the number of attempts, without delay. */
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

/** The initial delivery of a unit. */
export function startDelivery(receiverIds: readonly string[], now: number): DeliveryState {
  return receiverIds.map((receiverId) => ({ receiverId, attempts: 0, result: "Running", dueInstant: now }));
}

/** The approval request, and up to three more attempts (docs/reference/webhooks.md#transactional-events). */
const maxAskedAttempts = 4;

/** The delivery of an event after asking its receivers for approval. */
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

/** The instant at which the next receiver is due; null when all are done. */
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

/** The delivery after the removal of a receiver: no further attempts at it. */
export function stopRetries(state: DeliveryState, receiverId: string): DeliveryState {
  return state.map((one) => (one.receiverId === receiverId ? { ...one, attempts: one.attempts + 1, result: "Failed" } : one));
}

/** The result of the delivery: succeeded when every receiver has the event. */
export function resultOf(state: DeliveryState): ReceiverState["result"] {
  if (state.some(({ result }) => result === "Running")) return "Running";
  return state.every(({ result }) => result === "Succeeded") ? "Succeeded" : "Failed";
}

/** A unit of delivery: an event, a mail or a text message, leased to this process. */
export interface LeasedUnit {
  readonly log: { readonly id: string };
  readonly tenantId: string | null;
  readonly version: number;
  readonly state: DeliveryState;
  /** The payload in its stored form. */
  readonly wire: string;
}

/** The position of an event in the outbox, and the end of its lease. */
export interface OutboxLease {
  readonly position: number;
  readonly until: number;
}

/** A unit to deliver. With a lease, it is still in the outbox. */
export interface DueUnit<Unit> {
  readonly unit: Unit;
  readonly lease?: OutboxLease | undefined;
}

/** The progress of a unit in delivery. */
export interface Progress<Unit> extends DueUnit<Unit> {
  readonly attempts: readonly Attempt[];
}

/** A table of units that wait for an attempt, with the columns `dueInstant` and `claimedUntil`, the end of the lease. */
export interface UnitTable<Unit> {
  readonly table: Table;
  /** The duration of a lease, in milliseconds: the wait after a crash. */
  readonly leaseMilliseconds: number;
  /** @throws Error when the record is invalid. */
  readonly read: (stored: StoredRecord) => Unit;
  /** The record of a unit that is leased until an instant; 0 gives it back. */
  readonly toRecord: (unit: Unit, leasedUntil: number) => RecordToStore;
}

/** A request to lease records of the outbox. */
export interface OutboxQuery {
  readonly limit: number;
  /** Where only one process may hold leases: whether this one does. */
  readonly isHolder?: (() => boolean) | undefined;
}

/** The result of polling the outbox. */
export interface FoundUnits<Unit> {
  readonly count: number;
  readonly hasMore: boolean;
  readonly units: readonly DueUnit<Unit>[];
  /** Whether any receiver exists, for any unit. */
  readonly hasReceivers: boolean;
  /** Whether another process holds leases, so that this one may take none. */
  readonly isBlocked?: boolean;
}

/** Units of one kind: their storage and how to send them. */
export interface DeliveryQueue<Unit extends LeasedUnit> extends UnitTable<Unit> {
  /** Their name in log lines: `events`. */
  readonly name: string;
  /** The most calls of one receiver at a time. */
  readonly concurrency: number;
  /** The number of open units at which leasing stops. */
  readonly maxOpen: number;
  /** The most due units per lease. */
  readonly maxDue: number;
  /** The outbox of units before their first attempt; absent where the table has those too. */
  readonly outbox?: {
    readonly lease: (query: OutboxQuery) => Promise<FoundUnits<Unit>>;
    readonly setAside: (unit: Unit, lease: OutboxLease, error: unknown) => Promise<void>;
  };
  /** Calls one receiver. Never rejects. */
  readonly send: (receiverId: string, unit: Unit) => Promise<AttemptResult>;
  /** Adds attempts to the counts of a unit whose record lacks them. */
  readonly withAttempts: (unit: Unit, attempts: readonly Attempt[]) => Unit;
  /** Stores units in the caller's transaction; returns those still leased to this process. */
  readonly save: (tx: Transaction, progress: readonly Progress<Unit>[], leasedUntil: number) => Promise<readonly Unit[]>;
  /** Closes connections that the calls kept open. */
  readonly close?: () => Promise<void>;
}
