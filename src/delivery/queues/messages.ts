import { toCanonicalJson } from "../../json/canonical-json.js";
import type { Attempt } from "../../operations/events/approvals.js";
import type { WriteCall } from "../../operations/operation.js";
import type { EventCause } from "../../operations/outbox/publish-event.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { MessageOutcome } from "../../ports/event-transport.js";
import { globalScope, type RecordToStore, type StoredRecord, type Table, type Transaction } from "../../ports/storage.js";
import { type SealedLocation, type Sealer, sealedLocationOf } from "../../security/seal.js";
import {
  type DeliveryQueue,
  type LeasedUnit,
  nextInstant,
  type Progress,
  type ReceiverState,
  resultOf,
  startDelivery,
  type UnitTable,
} from "../engine/delivery-state.js";
import { updateLeased } from "../engine/lease-due.js";
import { trySend } from "../engine/try-send.js";

/** A message to one receiver. */
export interface QueuedMessage {
  readonly id: string;
  readonly tenantId: string;
}

/** One kind of messages: their table, and their unencrypted members. */
export interface MessageKind<Message extends QueuedMessage> {
  readonly table: Table;
  /** A message of the kind in a sentence: `a mail`. */
  readonly title: string;
  /** The name of a message id in the log. */
  readonly idName: string;
  /** Unencrypted members beside id and instants, also logged: ids of related records. */
  readonly clearOf: (message: Message) => Readonly<Record<string, string | undefined>>;
  /** Called with a message in the transaction that gives it up. */
  readonly onGivenUp?: (cause: EventCause, log: MessageLog, attempts: number) => Promise<unknown>;
}

/** Unencrypted members of a message: without its content, and its recipient unless it is a user. */
export interface MessageLog {
  readonly id: string;
  readonly insertInstant: number;
  readonly lastUpdateInstant: number;
  /** The reason why the last attempt failed, in a word. */
  readonly reason?: string | undefined;
  readonly result: ReceiverState["result"];
  readonly [clear: string]: unknown;
}

/** A message that this process sends, until its lease ends. Its `wire` is sealed. */
interface LeasedMessage extends LeasedUnit {
  readonly log: MessageLog;
}

const locationOf = ({ name }: Table, id: string): SealedLocation => sealedLocationOf(name, id);

/** Stores messages in the transaction that sends them; they are sent after the commit. */
export async function queueMessages<Message extends QueuedMessage>(
  { service, tx }: Pick<WriteCall, "service" | "tx">,
  { clearOf, table }: MessageKind<Message>,
  messages: readonly Message[],
): Promise<void> {
  const now = service.runtime.clock();
  const records = messages.map((message) => {
    const { id, tenantId } = message;
    const log: MessageLog = { ...clearOf(message), id, insertInstant: now, lastUpdateInstant: now, result: "Running" };
    const wire = service.sealer.seal(JSON.stringify(message), locationOf(table, id));
    return toRecord({ log, tenantId, version: 1, state: startDelivery([table.name], now), wire }, 0);
  });
  await tx.insert(globalScope, table, records);
  tx.afterCommit(() => service.wakeDeliverer(table.name));
}

/** @throws Error when the record is invalid. */
function readMessage({ hidden, json, tenantId, version }: StoredRecord): LeasedMessage {
  const { sealed, state } = JSON.parse(hidden ?? "{}") as { readonly sealed: string; readonly state: ReceiverState };
  if (typeof sealed !== "string" || typeof state !== "object") throw new TypeError("The record holds no message.");
  return { log: JSON.parse(json) as MessageLog, tenantId, version, state: [state], wire: sealed };
}

function toRecord({ log, state, tenantId, version, wire }: LeasedMessage, leasedUntil: number): RecordToStore {
  const { id, insertInstant, lastUpdateInstant } = log;
  const dueInstant = nextInstant(state);
  return {
    id,
    tenantId,
    version,
    insertInstant,
    lastUpdateInstant,
    json: toCanonicalJson({ ...log, result: resultOf(state) }),
    hidden: dueInstant === null ? null : JSON.stringify({ sealed: wire, state: state[0] }),
    columns: { claimedUntil: leasedUntil, dueInstant },
  };
}

/** The messages of one table. */
export function messageUnits(table: Table): UnitTable<LeasedMessage> {
  return { table, leaseMilliseconds: 60_000, read: readMessage, toRecord };
}

/** The queue of one kind of messages. */
export function createMessageQueue<Message extends QueuedMessage>(
  service: ServiceContext,
  kind: MessageKind<Message>,
  send: (message: Message) => Promise<MessageOutcome>,
): DeliveryQueue<LeasedMessage> {
  const { sealer } = service;
  const { table } = kind;
  // @throws Error when it was sealed with an unknown secret.
  const open = ({ log, wire }: LeasedMessage): Message => JSON.parse(sealer.open(wire, locationOf(table, log.id)));
  return {
    ...messageUnits(table),
    name: table.name,
    concurrency: 8,
    maxOpen: 32,
    maxDue: 64,
    withAttempts,
    send: async (_receiverId, unit) => {
      const outcome = await trySend(service.runtime.timers, send, () => open(unit));
      if (outcome.kind === "ok") return { isDelivered: true };
      return { isDelivered: false, isFinal: outcome.kind === "refused", exception: outcome.reason };
    },
    save: async (tx, progress, leasedUntil) => {
      const saving = progress.map((one) => saveMessage({ service, tx }, kind, one, leasedUntil));
      return (await Promise.all(saving)).flat();
    },
  };
}

function withAttempts(unit: LeasedMessage, attempts: readonly Attempt[]): LeasedMessage {
  const last = attempts.at(-1);
  if (last === undefined) return unit;
  return { ...unit, log: { ...unit.log, lastUpdateInstant: last.endInstant, reason: last.exception } };
}

async function saveMessage<Message extends QueuedMessage>(
  { service, tx }: { readonly service: ServiceContext; readonly tx: Transaction },
  kind: MessageKind<Message>,
  { attempts, unit }: Progress<LeasedMessage>,
  leasedUntil: number,
): Promise<readonly LeasedMessage[]> {
  const { log, state, version } = unit;
  const saved = { ...unit, version: version + 1, wire: renewWire(service.sealer, kind.table, unit) };
  const isOwn = await updateLeased(tx, kind.table, toRecord(saved, leasedUntil));
  const count = state[0]?.attempts ?? 0;
  const result = resultOf(state);
  if (isOwn && result === "Failed") await kind.onGivenUp?.({ service, tx }, log, count);
  const { id, insertInstant: _begin, lastUpdateInstant: _last, ...clear } = log;
  if (attempts.at(-1)?.isDelivered === false)
    tx.afterCommit(() => {
      const fields = { ...clear, attempts: count, [kind.idName]: id, result };
      service.runtime.logger.warn(fields, `${kind.title} could not be sent`);
    });
  return isOwn ? [saved] : [];
}

// A lease may have begun before a rotation of secrets: never store the old seal again.
function renewWire(sealer: Sealer, table: Table, { log, wire }: LeasedMessage): string {
  return sealer.isKnown(wire) ? sealer.renew(wire, locationOf(table, log.id)) : wire;
}
