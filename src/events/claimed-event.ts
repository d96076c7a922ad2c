import type { RecordToStore, StoredRecord } from "../ports/storage.js";
import type { WebhookEventLog } from "../resources/webhook-event-logs/schema.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { foldText } from "../values/fold-text.js";
import { type DeliveryState, nextInstant, resultOf } from "./delivery.js";
import type { RecordedEvent } from "./recorded-event.js";

/** An event that this process delivers, until its claim ends. */
export interface ClaimedEvent {
  readonly log: WebhookEventLog;
  readonly tenantId: string | null;
  /** Of the record that is kept. */
  readonly version: number;
  readonly state: DeliveryState;
}

/** An event that is to be delivered from now on. */
export function newClaim(event: RecordedEvent, state: DeliveryState, sequence: number, now: number): ClaimedEvent {
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
  return { log, tenantId: tenantId ?? null, version: 1, state };
}

/** A kept event as it can be gone on with. */
export function readClaim({ hidden, json, tenantId, version }: StoredRecord): ClaimedEvent {
  const { state } = JSON.parse(hidden ?? '{"state":[]}') as { readonly state: DeliveryState };
  return { log: JSON.parse(json) as WebhookEventLog, tenantId, version, state };
}

/** The record that keeps a claim until an instant; 0 gives it back. */
export function toRecord({ log, state, tenantId, version }: ClaimedEvent, claimedUntil: number): RecordToStore {
  const { eventType, id, insertInstant, lastAttemptInstant, lastUpdateInstant, linkedObjectId, sequence } = log;
  const eventResult = resultOf(state);
  return {
    id,
    tenantId,
    version,
    insertInstant,
    lastUpdateInstant,
    json: toCanonicalJson({ ...log, eventResult }),
    hidden: toCanonicalJson({ state }),
    columns: {
      claimedUntil,
      dueInstant: nextInstant(state),
      eventFolded: foldText(toCanonicalJson(log.event)),
      eventResult,
      eventType,
      lastAttemptInstant: lastAttemptInstant ?? null,
      linkedObjectId: linkedObjectId ?? null,
      sequence,
    },
  };
}
