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
  readonly texts: EventTexts;
}

/** The texts that an event is kept and sent as: made once, however often it is written. */
export interface EventTexts {
  /** `{"event":{…}}`, as receivers get it. */
  readonly wire: string;
  /** The same, to be searched in. */
  readonly folded: string;
}

/** An event that is to be delivered from now on. `wire` is its canonical text. */
export function newClaim({ event, wire }: WrittenEvent, state: DeliveryState, sequence: number, now: number): ClaimedEvent {
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
    sequence,
    successfulAttempts,
  };
  return { log, tenantId: tenantId ?? null, version: 1, state, texts: toTexts(wire) };
}

function toTexts(wire: string): EventTexts {
  return { wire, folded: foldText(wire) };
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
  return { log, tenantId, version, state, texts: toTexts(toCanonicalJson(log.event)) };
}

/** The record that keeps a claim until an instant; 0 gives it back. */
export function toRecord({ log, state, tenantId, texts, version }: ClaimedEvent, claimedUntil: number): RecordToStore {
  const { eventType, id, insertInstant, lastAttemptInstant, lastUpdateInstant, linkedObjectId, sequence } = log;
  const eventResult = resultOf(state);
  return {
    id,
    tenantId,
    version,
    insertInstant,
    lastUpdateInstant,
    json: toJson(log, eventResult, texts.wire),
    hidden: JSON.stringify({ state }),
    columns: {
      claimedUntil,
      dueInstant: nextInstant(state),
      eventFolded: texts.folded,
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
