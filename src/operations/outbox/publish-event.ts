import { eventTypes } from "../../availability/event-types.js";
import type { Principal } from "../../http/authenticate/principal.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { Runtime } from "../../ports/runtime.js";
import { globalScope, type RecordToStore, type StoredRecord, type Transaction } from "../../ports/storage.js";
import type { Answers, Attempt, TransactionType } from "../events/approvals.js";
import type { Actor, NewEvent, Origin, RecordedEvent } from "../events/recorded-event.js";
import type { WriteCall } from "../operation.js";
import { eventsTable } from "./tables.js";

export type { NewEvent } from "../events/recorded-event.js";

/** The cause of an event: a call inside of its transaction, or work of the service without a caller. */
export type EventCause = Pick<WriteCall, "service" | "tx"> &
  Partial<Pick<WriteCall, "asking" | "origin" | "principal" | "request">>;

const completeSuffix = ".complete";

const paired: ReadonlySet<string> = new Set(
  eventTypes.flatMap(({ name }) => (name.endsWith(completeSuffix) ? [name.slice(0, -completeSuffix.length)] : [])),
);

/**
 * Records an event in the outbox, in the transaction of the change: both or neither are stored. One record also serves the
 * `.complete` twin. Receivers deduplicate by event id. Skips events that the version or the plan does not have. Returns the
 * recorded event and its text.
 */
export async function publishEvent(call: EventCause, event: NewEvent): Promise<WrittenEvent | undefined> {
  const written: WrittenEvent[] = [];
  await recordEvents(call, [event], (one) => written.push(one));
  return written[0];
}

/** Records many events like {@link publishEvent}, in order; without `asking`, needs no approval. */
export function publishEvents(call: EventCause, events: Iterable<NewEvent>): Promise<void> {
  return recordEvents(call, events, () => undefined);
}

async function recordEvents(
  call: EventCause,
  events: Iterable<NewEvent>,
  onWritten: (written: WrittenEvent) => unknown,
): Promise<void> {
  const { service, tx } = call;
  const origin = originOf(call);
  const records: RecordToStore[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    if (records.length === 0) return;
    tx.afterCommit(service.wakeDeliverer);
    await tx.insert(globalScope, eventsTable, records.splice(0));
    length = 0;
  };
  for (const event of events) {
    if (!service.availability.isSent(event.type)) continue;
    const recorded = toRecorded(service.runtime, { ...event, fields: { ...origin, ...event.fields } });
    const asking = ask(call, recorded);
    const record = toEventRecord(recorded, asking instanceof Promise ? await asking : asking);
    onWritten({ event: recorded, wire: record.json });
    records.push(record);
    length += record.json.length;
    if (length < maxInsertLength) continue;
    await flush();
    await call.service.runtime.timers.nextTurn();
  }
  await flush();
}

/** The number of characters at which events are inserted. */
const maxInsertLength = 500_000;

type Answered = readonly Attempt[] | undefined;

/**
 * The answers of receivers that must approve the event; without any yet, records an approval request. Synchronous where the
 * settings are cached.
 */
function ask({ asking, service, tx }: EventCause, event: RecordedEvent): Answered | Promise<Answered> {
  if (asking === undefined) return undefined;
  const answer = (transactionType: TransactionType): Answered => {
    if (transactionType === "None") return undefined;
    const answers = asking.answers.get(event.id);
    if (answers === undefined) asking.open.push({ event, transactionType });
    return answers;
  };
  const known = service.eventSettings.transactionTypeOf(tx, asking.settings, event);
  return known instanceof Promise ? known.then(answer) : answer(known);
}

function toRecorded({ clock, newId }: Runtime, { type, tenantId, linkedObjectId, fields }: NewEvent): RecordedEvent {
  const id = newId();
  const named = { ...(linkedObjectId !== undefined && { linkedObjectId }), ...(tenantId !== undefined && { tenantId }) };
  return { ...fields, createInstant: clock(), id, ...named, type };
}

function toEventRecord(event: RecordedEvent, answers?: readonly Attempt[]): RecordToStore {
  const { createInstant, id, type } = event;
  return {
    id,
    tenantId: null,
    version: firstVersion,
    insertInstant: createInstant,
    lastUpdateInstant: createInstant,
    json: toCanonicalJson({ event }),
    hidden: answers === undefined ? null : toHidden(answers),
    columns: { type },
  };
}

/** Stores the answers of receivers with events that a transaction has already recorded. */
export async function recordAnswers(tx: Transaction, answers: Answers): Promise<void> {
  const records = [...answers].map(([id, attempts]) => ({ id, version: firstVersion, hidden: toHidden(attempts) }));
  await tx.replaceHidden(globalScope, eventsTable, records);
}

const firstVersion = 1;

function toHidden(answers: readonly Attempt[]): string {
  return toCanonicalJson({ answers });
}

/** Answers of receivers to an approval request; undefined without one. */
export function answersOf({ hidden }: StoredRecord): readonly Attempt[] | undefined {
  return hidden === null ? undefined : (JSON.parse(hidden) as { readonly answers?: readonly Attempt[] }).answers;
}

/** An event, and its text in storage and on the wire. */
export interface WrittenEvent {
  readonly event: RecordedEvent;
  /** `{"event":{…}}`, canonical. */
  readonly wire: string;
}

/**
 * The events of an outbox record: one, or an event and its twin with the same content. @throws Error when the record holds no
 * event.
 */
export function toEvents({ json }: StoredRecord): readonly WrittenEvent[] {
  const { event } = JSON.parse(json) as { readonly event: RecordedEvent };
  if (typeof event.id !== "string" || typeof event.type !== "string") throw new TypeError("The record holds no event.");
  const written = { event, wire: json };
  if (!paired.has(event.type)) return [written];
  const twin = { ...event, id: twinIdOf(event.id), type: event.type + completeSuffix };
  return [written, { event: twin, wire: toCanonicalJson({ event: twin }) }];
}

// The same id except for its UUID version, which alone distinguishes the two.
function twinIdOf(id: string): string {
  return id.slice(0, 14) + (id[14] === "8" ? "7" : "8") + id.slice(15);
}

type Caused = Pick<WriteCall, "service"> & Partial<Pick<WriteCall, "origin" | "principal" | "request">>;

/** The actor and location of a call. */
export function originOf({ origin, principal, request, service }: Caused): Origin {
  if (origin !== undefined) return origin;
  const ipAddress = request && service.addressOf(request)?.text;
  const userAgent = request?.headers["user-agent"];
  const info = { ...(ipAddress !== undefined && { ipAddress }), ...(typeof userAgent === "string" && { userAgent }) };
  const actor = principal && toActor(principal);
  return {
    ...(actor && { actor }),
    ...(Object.keys(info).length > 0 && { info }),
  };
}

/** The caller in a word: `host`, `anonymous` for a visitor, or the type and the id of the caller. */
export function nameOfCaller({ principal }: Pick<WriteCall, "principal">): string {
  const actor: Actor | undefined = principal === undefined ? { type: "host" } : toActor(principal);
  if (actor === undefined) return "anonymous";
  return actor.id === undefined ? actor.type : `${actor.type}:${actor.id}`;
}

function toActor(principal: Principal): Actor | undefined {
  switch (principal.kind) {
    case "apiKey":
      return { type: "apiKey", id: principal.keyId };
    case "client":
      return { type: "client", id: principal.entityId };
    case "lambda":
      return { type: "lambda", id: principal.lambdaId };
    case "administrator":
    case "user":
      return { type: "user", id: principal.userId };
    case "visitor":
      return undefined;
    case "host":
      return { type: "host" };
  }
}
