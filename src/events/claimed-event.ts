import type { RecordToStore, StoredRecord } from "../ports/storage.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { type DeliveryState, nextInstant, type ReceiverState, resultOf, startDelivery } from "./delivery.js";
import type { RecordedEvent } from "./publish-event.js";

/** The log of an event on the wire, its attempts apart (facts.md 3.6). Instants are epoch milliseconds. */
export interface WebhookEventLog {
  readonly data: Readonly<Record<string, unknown>>;
  readonly event: { readonly event: RecordedEvent };
  readonly eventResult: ReceiverState["result"];
  readonly eventType: string;
  readonly failedAttempts: number;
  readonly id: string;
  readonly insertInstant: number;
  readonly lastAttemptInstant?: number | undefined;
  readonly lastUpdateInstant: number;
  readonly linkedObjectId?: string | undefined;
  /** Grows by one with each event of a tenant. */
  readonly sequence: number;
  readonly successfulAttempts: number;
}

/** An event that this process delivers, until its claim ends. */
export interface ClaimedEvent {
  readonly log: WebhookEventLog;
  readonly tenantId: string | null;
  /** Of the record that is kept. */
  readonly version: number;
  readonly state: DeliveryState;
}

/** An event that is to be delivered from now on. */
export function newClaim(event: RecordedEvent, receiverIds: readonly string[], sequence: number, now: number): ClaimedEvent {
  const { id, linkedObjectId, tenantId, type } = event;
  const log: WebhookEventLog = {
    data: {},
    event: { event },
    eventResult: "Running",
    eventType: type,
    failedAttempts: 0,
    id,
    insertInstant: now,
    lastUpdateInstant: now,
    linkedObjectId,
    sequence,
    successfulAttempts: 0,
  };
  return { log, tenantId: tenantId ?? null, version: 1, state: startDelivery(receiverIds, now) };
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
      eventResult,
      eventType,
      lastAttemptInstant: lastAttemptInstant ?? null,
      linkedObjectId: linkedObjectId ?? null,
      sequence,
    },
  };
}
