import type { RecordToStore, StoredRecord } from "../ports/storage.js";
import type { WebhookEventLog } from "../resources/webhook-event-logs/schema.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { foldText } from "../values/fold-text.js";
import type { Attempt } from "./attempt.js";
import { type DeliveryState, nextInstant, resultOf } from "./delivery.js";
import type { WrittenEvent } from "./publish-event.js";

/** An event that this process delivers, until its claim ends. */
export interface ClaimedEvent {
  readonly log: WebhookEventLog;
  readonly tenantId: string | null;
  /** Of the record that is kept. */
  readonly version: number;
  readonly state: DeliveryState;
  /** `{"event":{…}}`, the canonical text that receivers get: made once, however often it is written. */
  readonly wire: string;
}

/** An event that is to be delivered from now on. It has no place among the logs yet: its `sequence` is 0. */
export function newClaim({ event, wire }: WrittenEvent, state: DeliveryState, now: number): ClaimedEvent {
  const { id, linkedObjectId, tenantId, type } = event;
  const tried = state.filter(({ attempts }) => attempts > 0);
  const successfulAttempts = tried.filter(({ result }) => result === "Succeeded").length;
  const log: WebhookEventLog = {
    data: {},
    event: { event },
    eventResult: resultOf(state),
    eventType: type,
    failedAttempts: tried.length - successfulAttempts,
    id,
    insertInstant: now,
    lastAttemptInstant: tried.length === 0 ? undefined : Math.max(...tried.map(({ dueInstant }) => dueInstant)),
    lastUpdateInstant: now,
    linkedObjectId,
    sequence: 0,
    successfulAttempts,
  };
  return { log, tenantId: tenantId ?? null, version: 1, state, wire };
}

/** An event with attempts counted that its log does not know. */
export function withAttempts(claim: ClaimedEvent, attempts: readonly Attempt[]): ClaimedEvent {
  const { log } = claim;
  const delivered = attempts.filter(({ isDelivered }) => isDelivered).length;
  const counts = {
    successfulAttempts: log.successfulAttempts + delivered,
    failedAttempts: log.failedAttempts + attempts.length - delivered,
  };
  const last = attempts.at(-1)?.endInstant ?? log.lastAttemptInstant;
  return { ...claim, log: { ...log, ...counts, ...(last !== undefined && { lastAttemptInstant: last }) } };
}

/** A kept event as it can be gone on with. */
export function readClaim({ hidden, json, tenantId, version }: StoredRecord): ClaimedEvent {
  const { state } = JSON.parse(hidden ?? '{"state":[]}') as { readonly state: DeliveryState };
  const log = JSON.parse(json) as WebhookEventLog;
  return { log, tenantId, version, state, wire: toCanonicalJson(log.event) };
}

/** The record that keeps a claim until an instant; 0 gives it back. */
export function toRecord({ log, state, tenantId, version, wire }: ClaimedEvent, claimedUntil: number): RecordToStore {
  const { eventType, id, insertInstant, lastAttemptInstant, lastUpdateInstant, linkedObjectId, sequence } = log;
  const eventResult = resultOf(state);
  return {
    id,
    tenantId,
    version,
    insertInstant,
    lastUpdateInstant,
    json: toJson(log, eventResult, wire),
    hidden: JSON.stringify({ state }),
    columns: {
      claimedUntil,
      dueInstant: nextInstant(state),
      eventFolded: foldText(wire),
      eventResult,
      eventType,
      lastAttemptInstant: lastAttemptInstant ?? null,
      linkedObjectId: linkedObjectId ?? null,
      sequence,
    },
  };
}

// The event is most of it, and its text is there. The other members are plain, and stand in the order of their names.
function toJson(log: WebhookEventLog, eventResult: string, wire: string): string {
  const { data, eventType, failedAttempts, id, insertInstant, lastAttemptInstant, lastUpdateInstant } = log;
  const { linkedObjectId, sequence, successfulAttempts } = log;
  const first = { eventResult, eventType, failedAttempts, id, insertInstant, lastAttemptInstant, lastUpdateInstant };
  const plain = JSON.stringify({ ...first, linkedObjectId, sequence, successfulAttempts });
  return `{"data":${toCanonicalJson(data)},"event":${wire},${plain.slice(1)}`;
}
