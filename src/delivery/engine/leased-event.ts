import { CanonicalText, toCanonicalJson } from "../../json/canonical-json.js";
import type { RecordToStore, StoredRecord } from "../../ports/storage.js";
import type { WebhookEventLog } from "../../resources/webhook-event-logs/schema.js";
import { foldText, isAscii } from "../../shared/text/fold-text.js";
import type { WrittenEvent } from "../events/publish-event.js";
import type { Attempt } from "./attempt.js";
import { type DeliveryState, nextInstant, resultOf } from "./delivery.js";

/** The delivery state that is stored beside an event. */
type KeptLog = Omit<WebhookEventLog, "attempts" | "event">;

/** An event that this process delivers, until its claim ends. */
export interface LeasedEvent {
  readonly log: KeptLog;
  readonly tenantId: string | null;
  /** Of the stored record. */
  readonly version: number;
  readonly state: DeliveryState;
  /** `{"event":{…}}`, the canonical text that receivers get: made once, however often it is written. */
  readonly wire: string;
}

/** An event that is to be delivered from now on. */
export function newClaim({ event, wire }: WrittenEvent, state: DeliveryState, sequence: number, now: number): LeasedEvent {
  const { id, linkedObjectId, tenantId, type } = event;
  const tried = state.filter(({ attempts }) => attempts > 0);
  const successfulAttempts = tried.filter(({ result }) => result === "Succeeded").length;
  const log: KeptLog = {
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

/** An event with attempts counted that its log does not know. */
export function withAttempts(claim: LeasedEvent, attempts: readonly Attempt[]): LeasedEvent {
  const { log } = claim;
  const delivered = attempts.filter(({ isDelivered }) => isDelivered).length;
  const counts = {
    successfulAttempts: log.successfulAttempts + delivered,
    failedAttempts: log.failedAttempts + attempts.length - delivered,
  };
  const last = attempts.at(-1)?.endInstant ?? log.lastAttemptInstant;
  return { ...claim, log: { ...log, ...counts, ...(last !== undefined && { lastAttemptInstant: last }) } };
}

/** A kept event as it can be gone on with. @throws Error when the record makes no sense. */
export function readClaim({ hidden, json, tenantId, version }: StoredRecord): LeasedEvent {
  const { state, ...log } = JSON.parse(json) as KeptLog & { readonly state: DeliveryState };
  if (!Array.isArray(state)) throw new TypeError("The log does not say how far the event is.");
  return { log, tenantId, version, state, wire: hidden ?? "" };
}

/** A kept event as the API shows it. */
export function showEventLog({ hidden, json }: StoredRecord): string {
  const { state: _state, ...log } = JSON.parse(json) as KeptLog & { readonly state: DeliveryState };
  return toCanonicalJson({ ...log, event: new CanonicalText(hidden ?? "{}") });
}

/** The record that keeps a claim until an instant; 0 gives it back. */
export function toRecord({ log, state, tenantId, version, wire }: LeasedEvent, claimedUntil: number): RecordToStore {
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
      claimedUntil,
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
