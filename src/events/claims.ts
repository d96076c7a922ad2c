import type { ServiceContext } from "../operations/service-context.js";
import { type Filter, globalScope, StaleVersion, type StoredRecord, type Transaction } from "../ports/storage.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../resources/webhook-event-logs/table.js";
import type { Attempt, LoggedAttempt } from "./attempt.js";
import { toAttemptRecords } from "./attempt-records.js";
import { type ClaimedEvent, newClaim, readClaim, toRecord, withAttempts } from "./claimed-event.js";
import { continueDelivery, type DeliveryState, startDelivery } from "./delivery.js";
import { brokerId, hasReceivers, readReceivers } from "./find-receivers.js";
import { answersOf, toEvents, type WrittenEvent } from "./publish-event.js";
import type { RecordedEvent } from "./recorded-event.js";
import { eventsTable } from "./table.js";

/** How long nobody else delivers what is claimed, in milliseconds: so long an event waits for a process that died. */
export const leaseMilliseconds = 30_000;

/** What a look at the outbox found. */
export interface TakenEvents {
  /** How many records were taken; fewer than were asked for when the outbox is empty. */
  readonly taken: number;
  readonly claims: readonly ClaimedEvent[];
  /** Whether there is any receiver, for whatever event. */
  readonly isHeard: boolean;
}

/** Whether any event waits, which a read tells without holding up those who write. */
export async function hasEvents({ storage }: ServiceContext): Promise<boolean> {
  return (await storage.find(globalScope, eventsTable, undefined, { limit: 1 })).length > 0;
}

/** Takes the oldest events out of the outbox and claims those that have receivers, in the transaction of its caller. */
export async function takeEvents(service: ServiceContext, tx: Transaction, limit: number): Promise<TakenEvents> {
  const records = await tx.take(eventsTable, limit);
  if (records.length === 0) return { taken: 0, claims: [], isHeard: true };
  const isHeard = await hasReceivers(service, tx);
  // Where nobody is left, there are those still who were asked first.
  const waiting = records.filter(({ hidden }) => isHeard || hidden !== null).flatMap(toWaiting);
  if (waiting.length === 0) return { taken: records.length, claims: [], isHeard };
  const claims = await claimNew(service, tx, waiting);
  const asked = waiting.flatMap(({ event, answers = [] }) => answers.map((answer) => toLogged(event, answer)));
  if (asked.length > 0) await tx.insert(globalScope, webhookAttemptLogsTable, toAttemptRecords(service.runtime.newId, asked));
  return { taken: records.length, claims, isHeard };
}

async function claimNew(
  service: ServiceContext,
  tx: Transaction,
  waiting: readonly WaitingEvent[],
): Promise<readonly ClaimedEvent[]> {
  const events = waiting.map(({ event }) => event);
  const findReceivers = await readReceivers(service, tx, events);
  const now = service.runtime.clock();
  const nextSequence = createSequences(tx);
  const claims: ClaimedEvent[] = [];
  for (const one of waiting) {
    const state = toState(findReceivers(one.event), one.answers, now);
    if (state.length > 0) claims.push(newClaim(one, state, await nextSequence(one.event.tenantId ?? null), now));
  }
  const kept = claims.map((claim) => toRecord(claim, now + leaseMilliseconds));
  if (kept.length > 0) await tx.insert(globalScope, webhookEventLogsTable, kept);
  return claims;
}

interface WaitingEvent extends WrittenEvent {
  readonly answers?: readonly Attempt[] | undefined;
}

// Who was asked, was asked about the event; its twin tells that what was asked about is done.
function toWaiting(record: StoredRecord): readonly WaitingEvent[] {
  const [first, ...twins] = toEvents(record);
  return first === undefined ? [] : [{ ...first, answers: answersOf(record) }, ...twins];
}

// A broker is never asked.
function toState(receivers: readonly string[], answers: readonly Attempt[] | undefined, now: number): DeliveryState {
  if (answers === undefined) return startDelivery(receivers, now);
  const unasked = receivers.filter((id) => id === brokerId);
  return [...continueDelivery(answers), ...startDelivery(unasked, now)];
}

function toLogged(
  { id, tenantId = null }: Pick<RecordedEvent, "id"> & { readonly tenantId?: string | null },
  attempt: Attempt,
): LoggedAttempt {
  return { ...attempt, eventLogId: id, tenantId };
}

// Counted on from the highest that is kept, tenant by tenant.
function createSequences(tx: Transaction): (tenantId: string | null) => Promise<number> {
  const last = new Map<string | null, number>();
  return async (tenantId) => {
    const sequence = (last.get(tenantId) ?? (await readLastSequence(tx, tenantId))) + 1;
    last.set(tenantId, sequence);
    return sequence;
  };
}

async function readLastSequence(tx: Transaction, tenantId: string | null): Promise<number> {
  const sort = [{ column: "sequence", direction: "desc" } as const];
  const ofTenant: Filter = { op: "equals", column: "tenantId", value: tenantId };
  const [newest] = await tx.find(globalScope, webhookEventLogsTable, ofTenant, { sort, limit: 1 });
  return newest === undefined ? 0 : readClaim(newest).log.sequence;
}

/** Claims events that are due and that nobody has claimed, or whose claim is over. */
export async function claimDueEvents(service: ServiceContext, limit: number): Promise<readonly ClaimedEvent[]> {
  const now = service.runtime.clock();
  const filters: readonly Filter[] = [
    { op: "compare", column: "dueInstant", comparison: "<=", value: now },
    { op: "compare", column: "claimedUntil", comparison: "<", value: now },
  ];
  const due: Filter = { op: "and", filters };
  const sort = [{ column: "dueInstant", direction: "asc" } as const];
  // Mostly there are none, which a read tells without holding up those who write.
  const [first] = await service.storage.find(globalScope, webhookEventLogsTable, due, { sort, limit: 1 });
  if (first === undefined) return [];
  return service.storage.transaction(async (tx) => {
    const found = await tx.find(globalScope, webhookEventLogsTable, due, { sort, limit });
    const claims = found.map(readClaim).map((claim) => ({ ...claim, version: claim.version + 1 }));
    for (const claim of claims) await tx.update(globalScope, webhookEventLogsTable, toRecord(claim, now + leaseMilliseconds));
    return claims;
  });
}

/** How far events are that were delivered or tried, and what was tried for them. */
export interface EndedEvents {
  readonly claims: readonly ClaimedEvent[];
  readonly attempts: readonly LoggedAttempt[];
}

/**
 * Keeps how far events are, and until when they stay claimed, in the transaction of its caller. Of what somebody has begun anew
 * meanwhile, only the attempts are kept; what somebody else has claimed is left alone.
 */
export async function keepClaims(
  service: ServiceContext,
  tx: Transaction,
  { attempts, claims }: EndedEvents,
  claimedUntil: number,
): Promise<void> {
  const byId = Map.groupBy(attempts, ({ eventLogId }) => eventLogId);
  const own: LoggedAttempt[] = [];
  for (const claim of claims) {
    const tried = byId.get(claim.log.id) ?? [];
    const update = tx.update(globalScope, webhookEventLogsTable, toRecord(claim, claimedUntil));
    if ((await update.then(isTrue, isOthers)) || (await countAttempts(service, tx, claim.log.id, tried))) own.push(...tried);
  }
  if (own.length > 0) await tx.insert(globalScope, webhookAttemptLogsTable, toAttemptRecords(service.runtime.newId, own));
}

/** Counts attempts at an event that was begun anew since and that nobody has claimed; answers whether it was so. */
async function countAttempts(
  { runtime }: ServiceContext,
  tx: Transaction,
  id: string,
  attempts: readonly LoggedAttempt[],
): Promise<boolean> {
  if (attempts.length === 0) return false;
  const filters: readonly Filter[] = [
    { op: "equals", column: "id", value: id },
    { op: "compare", column: "claimedUntil", comparison: "<", value: runtime.clock() },
  ];
  const [free] = await tx.find(globalScope, webhookEventLogsTable, { op: "and", filters }, { limit: 1 });
  if (free === undefined) return false;
  const claim = withAttempts(readClaim(free), attempts);
  await tx.update(globalScope, webhookEventLogsTable, toRecord({ ...claim, version: claim.version + 1 }, 0));
  return true;
}

const isTrue = (): boolean => true;

function isOthers(error: unknown): boolean {
  if (error instanceof StaleVersion) return false;
  throw error;
}
