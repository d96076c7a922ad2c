import type { ServiceContext } from "../operations/service-context.js";
import { type Filter, globalScope, type LogPosition, StaleVersion, type Transaction } from "../ports/storage.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../resources/webhook-event-logs/table.js";
import type { LoggedAttempt } from "./attempt.js";
import { toAttemptRecords } from "./attempt-records.js";
import { type ClaimedEvent, readClaim, toRecord, withAttempts } from "./claimed-event.js";
import { eventsTable } from "./table.js";

/** Where an event is in the outbox, and until when nobody else takes it from there. */
export interface OutboxLease {
  readonly position: LogPosition;
  readonly until: number;
}

/** How far an event is that was delivered or tried. */
export interface EventProgress {
  readonly claim: ClaimedEvent;
  /** What was tried and is not kept yet. */
  readonly attempts: readonly LoggedAttempt[];
  /** Of what is in the outbox still: it is removed there and logged. */
  readonly lease?: OutboxLease | undefined;
}

/**
 * Keeps how far events are, and until when they stay claimed, in the transaction of its caller; answers them as they are kept. Of what
 * somebody has begun anew meanwhile, only the attempts are kept; what somebody else has taken is left alone.
 */
export async function keepProgress(
  service: ServiceContext,
  tx: Transaction,
  events: readonly EventProgress[],
  claimedUntil: number,
): Promise<readonly ClaimedEvent[]> {
  const now = service.runtime.clock();
  const taken = await removeFromOutbox(tx, events);
  const kept = [
    ...(await insertLogs(
      tx,
      taken.map(({ claim }) => updatedAt(claim, now)),
      claimedUntil,
    )),
  ];
  const attempts = taken.flatMap((one) => one.attempts);
  for (const { claim, attempts: tried, lease } of events) {
    if (lease !== undefined) continue;
    const next = { ...updatedAt(claim, now), version: claim.version + 1 };
    const isOwn = await tx.update(globalScope, webhookEventLogsTable, toRecord(next, claimedUntil)).then(isTrue, isOthers);
    if (isOwn) kept.push(next);
    if (isOwn || (await countAttempts(service, tx, claim.log.id, tried))) attempts.push(...tried);
  }
  await insertAttempts(service, tx, attempts);
  return kept;
}

function updatedAt(claim: ClaimedEvent, now: number): ClaimedEvent {
  return { ...claim, log: { ...claim.log, lastUpdateInstant: now } };
}

// Whose lease has ended may be somebody else's now.
async function removeFromOutbox(tx: Transaction, events: readonly EventProgress[]): Promise<EventProgress[]> {
  const own: EventProgress[] = [];
  const leased = events.filter(({ lease }) => lease !== undefined);
  for (const [until, group] of Map.groupBy(leased, ({ lease }) => lease?.until ?? 0)) {
    const positions = group.flatMap(({ lease }) => lease?.position ?? []);
    const removed = new Set(await tx.removeLeased(eventsTable, positions, until));
    own.push(...group.filter(({ lease }) => lease !== undefined && removed.has(lease.position)));
  }
  return own;
}

const isTrue = (): boolean => true;

function isOthers(error: unknown): boolean {
  if (error instanceof StaleVersion) return false;
  throw error;
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

/** Logs events for the first time, claimed until an instant; answers them with their places among the logs. */
export async function insertLogs(
  tx: Transaction,
  claims: readonly ClaimedEvent[],
  claimedUntil: number,
): Promise<readonly ClaimedEvent[]> {
  if (claims.length === 0) return [];
  const nextSequence = createSequences(tx);
  const logged: ClaimedEvent[] = [];
  for (const claim of claims) logged.push({ ...claim, log: { ...claim.log, sequence: await nextSequence(claim.tenantId) } });
  await tx.insert(
    globalScope,
    webhookEventLogsTable,
    logged.map((claim) => toRecord(claim, claimedUntil)),
  );
  return logged;
}

// Counted on from the highest that is kept, tenant by tenant.
function createSequences(tx: Transaction): (tenantId: string | null) => number | Promise<number> {
  const last = new Map<string | null, number>();
  const count = (tenantId: string | null, before: number): number => {
    last.set(tenantId, before + 1);
    return before + 1;
  };
  return (tenantId) => {
    const known = last.get(tenantId);
    return known === undefined ? readLastSequence(tx, tenantId).then((read) => count(tenantId, read)) : count(tenantId, known);
  };
}

async function readLastSequence(tx: Transaction, tenantId: string | null): Promise<number> {
  const sort = [{ column: "sequence", direction: "desc" } as const];
  const ofTenant: Filter = { op: "equals", column: "tenantId", value: tenantId };
  const [newest] = await tx.find(globalScope, webhookEventLogsTable, ofTenant, { sort, limit: 1 });
  return newest === undefined ? 0 : readClaim(newest).log.sequence;
}

/** Keeps attempts at events that are logged. */
export async function insertAttempts(
  { runtime }: ServiceContext,
  tx: Transaction,
  attempts: readonly LoggedAttempt[],
): Promise<void> {
  if (attempts.length > 0) await tx.insert(globalScope, webhookAttemptLogsTable, toAttemptRecords(runtime.newId, attempts));
}
