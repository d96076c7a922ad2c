import { afterAttempt, nextInstant, type ReceiverState, resultOf, startDelivery } from "../events/delivery.js";
import type { WriteCall } from "../operations/operation.js";
import type { ServiceContext } from "../operations/service-context.js";
import type { MailMessage } from "../ports/event-transport.js";
import {
  type Filter,
  globalScope,
  type RecordToStore,
  StaleVersion,
  type StorageReader,
  type StoredRecord,
} from "../ports/storage.js";
import type { Sealer } from "../secrets/seal.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { mailsTable } from "./table.js";

/** How long nobody else sends what is claimed, in milliseconds: longer than a mail may take, so that claims need not be renewed. */
export const leaseMilliseconds = 60_000;

/** What is kept of a mail in clear: not whom it goes to, unless it is a user, and not what it says. */
interface MailRecord {
  readonly id: string;
  readonly emailTemplateId: string;
  readonly insertInstant: number;
  readonly lastUpdateInstant: number;
  /** Why the last attempt failed, in a word. */
  readonly reason?: string | undefined;
  readonly result: ReceiverState["result"];
  readonly userId?: string | undefined;
}

/** A mail that this process sends, until its claim ends. */
export interface ClaimedMail {
  readonly record: MailRecord;
  readonly tenantId: string;
  readonly version: number;
  /** Epoch milliseconds; 0 where nobody has claimed it. */
  readonly claimedUntil: number;
  readonly state: ReceiverState;
  readonly sealed: string;
}

const placeOf = (id: string): string => `mails/${id}`;

/** Keeps mails in the transaction of what sends them: all leave after the commit, or none. */
export async function queueMails(call: WriteCall, messages: readonly MailMessage[]): Promise<void> {
  const { runtime, sealer, wakeDeliverer } = call.service;
  const now = runtime.clock();
  const records = messages.map((message) => toRecord(newMail(sealer, message, now)));
  await call.tx.insert(globalScope, mailsTable, records);
  call.tx.afterCommit(wakeDeliverer);
}

function newMail(sealer: Sealer, message: MailMessage, now: number): ClaimedMail {
  const { emailTemplateId, id, tenantId, userId } = message;
  const record: MailRecord = { emailTemplateId, id, insertInstant: now, lastUpdateInstant: now, result: "Running", userId };
  const [state] = startDelivery(["mail"], now) as readonly [ReceiverState];
  return { record, tenantId, version: 1, claimedUntil: 0, state, sealed: sealer.seal(JSON.stringify(message), placeOf(id)) };
}

/** What a mail says. @throws Error when it was sealed with a secret that is not known. */
export function openMail(sealer: Sealer, { record, sealed }: ClaimedMail): MailMessage {
  return JSON.parse(sealer.open(sealed, placeOf(record.id))) as MailMessage;
}

/** How many mails are claimed together. */
const batch = 50;
const maxTries = 5;

/** Claims the mails that have been due for the longest time and that nobody has claimed: a few at once, none when there are none. */
export async function claimMails(service: ServiceContext): Promise<readonly ClaimedMail[]> {
  // Most looks find nothing, which needs no transaction.
  for (let tries = 0; tries < maxTries && (await findDue(service, service.storage, 1)).length > 0; tries++) {
    const claimed = await tryClaim(service).catch(ignoreOthers);
    if (claimed !== undefined) return claimed;
  }
  return [];
}

function findDue({ runtime }: ServiceContext, reader: StorageReader, limit: number): Promise<readonly StoredRecord[]> {
  const now = runtime.clock();
  const filters: readonly Filter[] = [
    { op: "compare", column: "dueInstant", comparison: "<=", value: now },
    { op: "compare", column: "claimedUntil", comparison: "<", value: now },
  ];
  const sort = [{ column: "dueInstant", direction: "asc" } as const];
  return reader.find(globalScope, mailsTable, { op: "and", filters }, { sort, limit });
}

function tryClaim(service: ServiceContext): Promise<readonly ClaimedMail[]> {
  return service.storage.transaction(async (tx) => {
    const claimedUntil = service.runtime.clock() + leaseMilliseconds;
    const found = await findDue(service, tx, batch);
    const claimed = found.map(readMail).map((mail) => ({ ...mail, claimedUntil, version: mail.version + 1 }));
    for (const mail of claimed) await tx.update(globalScope, mailsTable, toRecord(mail));
    return claimed;
  });
}

/** Gives back mails that were claimed and not tried. */
export async function releaseMails({ storage }: ServiceContext, mails: readonly ClaimedMail[]): Promise<void> {
  for (const mail of mails) {
    const released = toRecord({ ...mail, claimedUntil: 0, version: mail.version + 1 });
    await storage.transaction((tx) => tx.update(globalScope, mailsTable, released)).catch(ignoreOthers);
  }
}

/** What became of an attempt. `isFinal`: to try again is of no use. */
export interface MailAttempt {
  readonly isDelivered: boolean;
  readonly isFinal?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** Keeps what became of an attempt, and what is next. What somebody else has claimed meanwhile is left alone. */
export async function keepAttempt(service: ServiceContext, mail: ClaimedMail, attempt: MailAttempt): Promise<ReceiverState> {
  const now = service.runtime.clock();
  const end = { receiverId: mail.state.receiverId, isDelivered: attempt.isDelivered, endInstant: now };
  const policy = attempt.isFinal ? { delaysMilliseconds: [], jitter: 0 } : service.delivery.retry;
  const [state = mail.state] = afterAttempt([mail.state], end, policy, Math.random());
  const record = { ...mail.record, lastUpdateInstant: now, reason: attempt.reason };
  const kept = toRecord({ ...mail, claimedUntil: 0, record, state, version: mail.version + 1 });
  await service.storage.transaction((tx) => tx.update(globalScope, mailsTable, kept)).catch(ignoreOthers);
  return state;
}

// Somebody else has the mail.
function ignoreOthers(error: unknown): undefined {
  if (!(error instanceof StaleVersion)) throw error;
}

function readMail({ hidden, json, tenantId, version }: StoredRecord): ClaimedMail {
  const { sealed, state } = JSON.parse(hidden ?? "{}") as Pick<ClaimedMail, "sealed" | "state">;
  return { record: JSON.parse(json) as MailRecord, tenantId: tenantId ?? "", version, claimedUntil: 0, sealed, state };
}

function toRecord({ claimedUntil, record, sealed, state, tenantId, version }: ClaimedMail): RecordToStore {
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
