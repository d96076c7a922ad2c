import { CanonicalText, toCanonicalJson } from "../../json/canonical-json.js";
import type { Attempt } from "../../operations/events/approvals.js";
import type { WrittenEvent } from "../../operations/outbox/publish-event.js";
import type { RecordToStore, StoredRecord } from "../../ports/storage.js";
import { webhookEventLogsTable } from "../../records/webhook-event-logs/family.js";
import type { WebhookEventLog } from "../../records/webhook-event-logs/schema.js";
import { foldText, isAscii } from "../../shared/text.js";
import { type DeliveryState, type LeasedUnit, nextInstant, resultOf, type UnitTable } from "../engine/delivery-state.js";
import { brokerId } from "../integrations/earlier-receivers.js";

type EventLogState = Omit<WebhookEventLog, "attempts" | "event">;

/** An event that this process delivers, until its lease ends. */
export interface LeasedEvent extends LeasedUnit {
  readonly log: EventLogState;
  /** `{"event":{…}}`, the canonical text for receivers: serialized once, however often it is written. */
  readonly wire: string;
}

/** Logged events, with their attempts. */
export const eventLogUnits: UnitTable<LeasedEvent> = {
  table: webhookEventLogsTable,
  leaseMilliseconds: 30_000,
  read: readEvent,
  toRecord: toEventRecord,
};

/** A new event in delivery. */
export function newEvent({ event, wire }: WrittenEvent, state: DeliveryState, sequence: number, now: number): LeasedEvent {
  const { id, linkedObjectId, tenantId, type } = event;
  const tried = state.filter(({ attempts }) => attempts > 0);
  const successfulAttempts = tried.filter(({ result }) => result === "Succeeded").length;
  const log: EventLogState = {
    data: {},
    eventResult: resultOf(state),
    eventType: type,
    failedAttempts: tried.length - successfulAttempts,
    id,
    insertInstant: now,
    lastAttemptInstant: tried.length === 0 ? undefined : tried.reduce((last, { dueInstant }) => Math.max(last, dueInstant), 0),
    lastUpdateInstant: now,
    linkedObjectId,
    sequence,
    successfulAttempts,
  };
  return { log, tenantId: tenantId ?? null, version: 1, state, wire };
}

/** Adds attempts to the counts of an event whose log lacks them. */
export function withAttempts(unit: LeasedEvent, attempts: readonly Attempt[]): LeasedEvent {
  const { log } = unit;
  const delivered = attempts.filter(({ isDelivered }) => isDelivered).length;
  const counts = {
    successfulAttempts: log.successfulAttempts + delivered,
    failedAttempts: log.failedAttempts + attempts.length - delivered,
  };
  const last = attempts.at(-1)?.endInstant ?? log.lastAttemptInstant;
  return { ...unit, log: { ...log, ...counts, ...(last !== undefined && { lastAttemptInstant: last }) } };
}

/** A stored event, for further delivery. @throws Error when the record is invalid. */
export function readEvent({ hidden, json, tenantId, version }: StoredRecord): LeasedEvent {
  const { state, ...log } = JSON.parse(json) as EventLogState & { readonly state: DeliveryState };
  if (!Array.isArray(state)) throw new TypeError("The log does not say how far the event is.");
  return { log, tenantId, version, state, wire: hidden ?? "" };
}

/** A stored event in the form of the API. */
export function showEventLog({ hidden, json }: StoredRecord): string {
  const { state: _state, ...log } = JSON.parse(json) as EventLogState & { readonly state: DeliveryState };
  return toCanonicalJson({ ...log, event: new CanonicalText(hidden ?? "{}") });
}

/** The record of an event that is leased until an instant; 0 gives it back. */
export function toEventRecord({ log, state, tenantId, version, wire }: LeasedEvent, leasedUntil: number): RecordToStore {
  const { eventType, id, insertInstant, lastAttemptInstant, lastUpdateInstant, linkedObjectId, sequence } = log;
  const eventResult = resultOf(state);
  return {
    id,
    tenantId,
    version,
    insertInstant,
    lastUpdateInstant,
    json: JSON.stringify({ ...log, eventResult, state }),
    hidden: wire,
    columns: {
      claimedUntil: leasedUntil,
      dueInstant: nextInstant(state),
      eventFolded: isAscii(wire) ? "" : foldText(wire),
      eventResult,
      eventType,
      lastAttemptInstant: lastAttemptInstant ?? null,
      linkedObjectId: linkedObjectId ?? null,
      sequence,
    },
  };
}

interface AttemptOwner {
  readonly eventLogId: string;
  readonly tenantId: string | null;
}

/** The stored form of an attempt. */
export function toAttemptRecord(id: string, attempt: Attempt, { eventLogId, tenantId }: AttemptOwner): RecordToStore {
  const { endInstant, exception, isDelivered, receiverId, startInstant, statusCode, url } = attempt;
  // Plain members in the order of their names.
  const json = JSON.stringify({
    attemptResult: isDelivered ? "Success" : "Failure",
    data: {},
    endInstant,
    id,
    startInstant,
    webhookCallResponse: { exception, statusCode, url },
    webhookEventLogId: eventLogId,
    webhookId: receiverId === brokerId ? undefined : receiverId,
  });
  const columns = { webhookEventLogId: eventLogId };
  const instants = { insertInstant: startInstant, lastUpdateInstant: endInstant };
  return { id, tenantId, version: 1, ...instants, json, hidden: null, columns };
}
