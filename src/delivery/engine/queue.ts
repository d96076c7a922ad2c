import type { RecordToStore, StoredRecord, Table, Transaction } from "../../ports/storage.js";
import type { Attempt, AttemptResult, DeliveryState } from "./delivery-state.js";

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
