import { toCanonicalJson } from "../../json/canonical-json.js";
import type { WriteCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { MessageOutcome } from "../../ports/event-transport.js";
import {
  type Filter,
  globalScope,
  type RecordToStore,
  StaleVersion,
  type StoredRecord,
  type Table,
} from "../../ports/storage.js";
import type { Sealer } from "../../security/seal.js";
import { type SealedLocation, sealedLocationOf } from "../../security/sealed-locations.js";
import { afterAttempt, nextInstant, type ReceiverState, resultOf, startDelivery } from "../engine/delivery.js";
import { claimRecords, isTransient, setAside } from "../engine/set-aside.js";
import type { EventCause } from "../events/publish-event.js";

/** A message that leaves by itself, to one receiver. */
export interface OutboxMessage {
  readonly id: string;
  readonly tenantId: string;
}

/** One kind of messages: where they wait, and what of them anybody may see. */
export interface Outbox<Message extends OutboxMessage> {
  /** What `outboxTable` answers. */
  readonly table: Table;
  /** A message of the kind in a sentence: `a mail`. */
  readonly title: string;
  /** What the id of one is called in the log. */
  readonly idName: string;
  /** Members that are stored unencrypted beside id and instants, and logged: ids of what the message concerns. */
  readonly clearOf: (message: Message) => Readonly<Record<string, string | undefined>>;
  /** What is noted of a message that is given up, in the transaction that gives it up. */
  readonly noteGivenUp?: (cause: EventCause, record: MessageRecord, attempts: number) => Promise<unknown>;
}

/** Unencrypted members of a message: neither its recipient, unless it is a user, nor its content. */
export interface MessageRecord {
  readonly id: string;
  readonly insertInstant: number;
  readonly lastUpdateInstant: number;
  /** Why the last attempt failed, in a word. */
  readonly reason?: string | undefined;
  readonly result: ReceiverState["result"];
  readonly [clear: string]: unknown;
}

/** A message that this process sends, until its claim ends. */
export interface LeasedMessage {
  readonly record: MessageRecord;
  readonly tenantId: string;
  readonly version: number;
  /** Epoch milliseconds; 0 where nobody has claimed it. */
  readonly claimedUntil: number;
  readonly state: ReceiverState;
  readonly sealed: string;
}

/** How long nobody else sends what is claimed, in milliseconds: longer than a message may take, so that claims need not be renewed. */
const leaseMilliseconds = 60_000;

const placeOf = ({ name }: Table, id: string): SealedLocation => sealedLocationOf(name, id);

/** Keeps messages in the transaction of what sends them: all leave after the commit, or none. */
export async function queueMessages<Message extends OutboxMessage>(
  { service, tx }: Pick<WriteCall, "service" | "tx">,
  outbox: Outbox<Message>,
  messages: readonly Message[],
): Promise<void> {
  const now = service.runtime.clock();
  const records = messages.map((message) => toRecord(newMessage(service.sealer, outbox, message, now)));
  await tx.insert(globalScope, outbox.table, records);
  tx.afterCommit(service.wakeDeliverer);
}

function newMessage<Message extends OutboxMessage>(
  sealer: Sealer,
  { clearOf, table }: Outbox<Message>,
  message: Message,
  now: number,
): LeasedMessage {
  const { id, tenantId } = message;
  const record: MessageRecord = { ...clearOf(message), id, insertInstant: now, lastUpdateInstant: now, result: "Running" };
  const [state] = startDelivery([table.name], now) as readonly [ReceiverState];
  return {
    record,
    tenantId,
    version: 1,
    claimedUntil: 0,
    state,
    sealed: sealer.seal(JSON.stringify(message), placeOf(table, id)),
  };
}

/** What a message says. @throws Error when it was sealed with a secret that is not known. */
export function openMessage<Message extends OutboxMessage>(
  sealer: Sealer,
  { table }: Outbox<Message>,
  { record, sealed }: LeasedMessage,
): Message {
  return JSON.parse(sealer.open(sealed, placeOf(table, record.id))) as Message;
}

/** How many are claimed together. */
const batch = 50;
const maxTries = 5;

/** Claims the messages that have been due for the longest time and that nobody has claimed: a few at once, none when there are none. */
export async function claimMessages(service: ServiceContext, table: Table): Promise<readonly LeasedMessage[]> {
  // Most looks find nothing, which needs no transaction.
  for (let tries = 0; tries < maxTries && (await isAnyDue(service, table)); tries++) {
    const claimed = await tryClaim(service, table).catch(ignoreOthers);
    if (claimed !== undefined) return claimed;
  }
  return [];
}

function isDue(now: number): Filter {
  const filters: readonly Filter[] = [
    { op: "compare", column: "dueInstant", comparison: "<=", value: now },
    { op: "compare", column: "claimedUntil", comparison: "<", value: now },
  ];
  return { op: "and", filters };
}

async function isAnyDue({ runtime, storage }: ServiceContext, table: Table): Promise<boolean> {
  const sort = [{ column: "dueInstant", direction: "asc" } as const];
  return (await storage.find(globalScope, table, isDue(runtime.clock()), { sort, limit: 1 })).length > 0;
}

async function tryClaim(service: ServiceContext, table: Table): Promise<readonly LeasedMessage[]> {
  const now = service.runtime.clock();
  const { claimed } = await claimRecords(service, {
    table,
    limit: batch,
    due: isDue(now),
    claim: (stored) => {
      const message = readMessage(stored);
      const claimed = { ...message, claimedUntil: now + leaseMilliseconds, version: message.version + 1 };
      return { claimed, record: toRecord(claimed) };
    },
  });
  return claimed;
}

/** When a kept message is due, in epoch milliseconds; null when it is over. */
export function dueInstantOf(stored: StoredRecord): number | null {
  return stored.hidden === null ? null : nextInstant([readMessage(stored).state]);
}

/** Gives back what was claimed and not tried. */
export async function releaseMessages(
  { sealer, storage }: ServiceContext,
  table: Table,
  messages: readonly LeasedMessage[],
): Promise<void> {
  for (const message of messages) {
    const sealed = renewSealed(sealer, table, message);
    const released = toRecord({ ...message, claimedUntil: 0, sealed, version: message.version + 1 });
    await storage.transaction((tx) => tx.update(globalScope, table, released)).catch(ignoreOthers);
  }
}

/** Keeps what became of an attempt, and what is next. What somebody else has claimed meanwhile is left alone. */
export async function saveAttempt<Message extends OutboxMessage>(
  service: ServiceContext,
  { noteGivenUp, table }: Outbox<Message>,
  message: LeasedMessage,
  outcome: MessageOutcome,
): Promise<ReceiverState> {
  const now = service.runtime.clock();
  const end = { receiverId: message.state.receiverId, isDelivered: outcome.kind === "ok", endInstant: now };
  const policy = outcome.kind === "refused" ? { delaysMilliseconds: [], jitter: 0 } : service.delivery.retry;
  const [state = message.state] = afterAttempt([message.state], end, policy, Math.random());
  const record = { ...message.record, lastUpdateInstant: now, reason: outcome.kind === "ok" ? undefined : outcome.reason };
  const sealed = renewSealed(service.sealer, table, message);
  const kept = toRecord({ ...message, claimedUntil: 0, record, sealed, state, version: message.version + 1 });
  const keep = service.storage.transaction(async (tx) => {
    await tx.update(globalScope, table, kept);
    if (state.result === "Failed") await noteGivenUp?.({ service, tx }, record, state.attempts);
  });
  await keep.catch(async (error: unknown) => {
    if (isTransient(error)) throw error;
    // Sent or not: a message whose result cannot be stored must not be sent again and again.
    if (!(error instanceof StaleVersion)) await setAside(service, { table, record: kept, error });
  });
  return state;
}

// A claim may have begun before secrets were rotated: what it holds must not come back as it was.
function renewSealed(sealer: Sealer, table: Table, { record, sealed }: LeasedMessage): string {
  return sealer.isKnown(sealed) ? sealer.renew(sealed, placeOf(table, record.id)) : sealed;
}

// Somebody else has the message.
function ignoreOthers(error: unknown): undefined {
  if (!(error instanceof StaleVersion)) throw error;
}

/** @throws Error when the record makes no sense. */
function readMessage({ hidden, json, tenantId, version }: StoredRecord): LeasedMessage {
  const { sealed, state } = JSON.parse(hidden ?? "{}") as Pick<LeasedMessage, "sealed" | "state">;
  if (typeof sealed !== "string" || typeof state !== "object") throw new TypeError("The record holds no message.");
  return { record: JSON.parse(json) as MessageRecord, tenantId: tenantId ?? "", version, claimedUntil: 0, sealed, state };
}

function toRecord({ claimedUntil, record, sealed, state, tenantId, version }: LeasedMessage): RecordToStore {
  const { id, insertInstant, lastUpdateInstant } = record;
  const dueInstant = nextInstant([state]);
  return {
    id,
    tenantId,
    version,
    insertInstant,
    lastUpdateInstant,
    json: toCanonicalJson({ ...record, result: resultOf([state]) }),
    hidden: dueInstant === null ? null : JSON.stringify({ sealed, state }),
    columns: { claimedUntil, dueInstant },
  };
}
