import type { ServiceContext } from "../operations/service-context.js";
import { type Filter, globalScope, type RecordToStore, StaleVersion, type Transaction } from "../ports/storage.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { type ClaimedEvent, newClaim, readClaim, toRecord } from "./claimed-event.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "./event-log-table.js";
import { readReceivers } from "./find-receivers.js";
import { toEvents } from "./publish-event.js";
import { eventsTable } from "./table.js";

/** How long nobody else delivers what is claimed, in milliseconds: so long an event waits for a process that died. */
export const leaseMilliseconds = 30_000;

/** What became of one attempt (facts.md 3.6). */
export interface Attempt {
  readonly eventLogId: string;
  readonly tenantId: string | null;
  readonly receiverId: string;
  /** Epoch milliseconds. */
  readonly startInstant: number;
  readonly endInstant: number;
  readonly isDelivered: boolean;
  readonly statusCode?: number | undefined;
  readonly url?: string | undefined;
  /** Why there was no answer, in a word. */
  readonly exception?: string | undefined;
}

/** What a look at the outbox found. */
export interface TakenEvents {
  /** How many records were taken; fewer than were asked for when the outbox is empty. */
  readonly taken: number;
  readonly claims: readonly ClaimedEvent[];
}

/** Takes the oldest events out of the outbox and claims those that have receivers. Either both are kept or neither. */
export function takeEvents(service: ServiceContext, limit: number): Promise<TakenEvents> {
  return service.storage.transaction(async (tx) => {
    const records = await tx.take(eventsTable, limit);
    if (records.length === 0) return { taken: 0, claims: [] };
    const events = records.flatMap(toEvents);
    const findReceivers = await readReceivers(service, tx, events);
    const now = service.runtime.clock();
    const nextSequence = createSequences(tx);
    const claims: ClaimedEvent[] = [];
    for (const event of events) {
      const receiverIds = findReceivers(event);
      if (receiverIds.length > 0) claims.push(newClaim(event, receiverIds, await nextSequence(event.tenantId ?? null), now));
    }
    const kept = claims.map((claim) => toRecord(claim, now + leaseMilliseconds));
    if (kept.length > 0) await tx.insert(globalScope, webhookEventLogsTable, kept);
    return { taken: records.length, claims };
  });
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
export function claimDueEvents(service: ServiceContext, limit: number): Promise<readonly ClaimedEvent[]> {
  const now = service.runtime.clock();
  const filters: readonly Filter[] = [
    { op: "compare", column: "dueInstant", comparison: "<=", value: now },
    { op: "compare", column: "claimedUntil", comparison: "<", value: now },
  ];
  const due: Filter = { op: "and", filters };
  const sort = [{ column: "dueInstant", direction: "asc" } as const];
  return service.storage.transaction(async (tx) => {
    const found = await tx.find(globalScope, webhookEventLogsTable, due, { sort, limit });
    const claims = found.map(readClaim).map((claim) => ({ ...claim, version: claim.version + 1 }));
    for (const claim of claims) await tx.update(globalScope, webhookEventLogsTable, toRecord(claim, now + leaseMilliseconds));
    return claims;
  });
}

/** Keeps how far events are, what was tried for them, and until when they stay claimed. What somebody else has claimed meanwhile is left alone. */
export function keepClaims(
  { runtime, storage }: ServiceContext,
  claims: readonly ClaimedEvent[],
  attempts: readonly Attempt[],
  claimedUntil: number,
): Promise<void> {
  return storage.transaction(async (tx) => {
    const kept = new Set<string>();
    for (const claim of claims) {
      const isKept = await tx.update(globalScope, webhookEventLogsTable, toRecord(claim, claimedUntil)).then(isTrue, isOthers);
      if (isKept) kept.add(claim.log.id);
    }
    const records = attempts.filter(({ eventLogId }) => kept.has(eventLogId)).map((one) => toAttemptRecord(one, runtime.newId()));
    if (records.length > 0) await tx.insert(globalScope, webhookAttemptLogsTable, records);
  });
}

const isTrue = (): boolean => true;

function isOthers(error: unknown): boolean {
  if (error instanceof StaleVersion) return false;
  throw error;
}

function toAttemptRecord(attempt: Attempt, id: string): RecordToStore {
  const { endInstant, eventLogId, exception, isDelivered, receiverId, startInstant, statusCode, tenantId, url } = attempt;
  const json = toCanonicalJson({
    attemptResult: isDelivered ? "Success" : "Failure",
    data: {},
    endInstant,
    id,
    startInstant,
    webhookCallResponse: { exception, statusCode, url },
    webhookEventLogId: eventLogId,
    webhookId: receiverId,
  });
  const columns = { webhookEventLogId: eventLogId };
  const instants = { insertInstant: startInstant, lastUpdateInstant: endInstant };
  return { id, tenantId, version: 1, ...instants, json, hidden: null, columns };
}
