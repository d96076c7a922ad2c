import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, StaleVersion, type Transaction } from "../../ports/storage.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../../resources/webhook-event-logs/table.js";
import type { LoggedAttempt } from "./attempt.js";
import { toAttemptRecords } from "./attempt-records.js";
import { type LeasedEvent, readClaim, toRecord, withAttempts } from "./leased-event.js";
import { eventsTable } from "./table.js";

/** Where an event is in the outbox, and until when nobody else takes it from there. */
export interface OutboxLease {
  readonly position: number;
  readonly until: number;
}

/** How far an event is that was delivered or tried. */
export interface EventProgress {
  readonly claim: LeasedEvent;
  /** What was tried and is not kept yet. */
  readonly attempts: readonly LoggedAttempt[];
  /** Of what is in the outbox still: it is removed there and logged. */
  readonly lease?: OutboxLease | undefined;
}

/**
 * Stores the delivery state and lease of events in the caller's transaction; returns the events as stored. For events that
 * were resent meanwhile, it stores only the attempts; it leaves events that another process has leased.
 */
export async function saveProgress(
  service: ServiceContext,
  tx: Transaction,
  events: readonly EventProgress[],
  claimedUntil: number,
): Promise<readonly LeasedEvent[]> {
  const now = service.runtime.clock();
  const claims = events.map(({ claim }) => claim);
  // Sent together: a database is waited for once, and not once for each event.
  const [taken, updated, tenantOf] = await Promise.all([
    removeFromOutbox(tx, events),
    updateLogs(service, tx, events, claimedUntil),
    readTenantsOfLogs(service, tx, claims),
  ]);
  const logged = taken.map(({ claim }) => updatedAt(claim, now));
  await insertLogs(tx, logged, { claimedUntil, tenantOf });
  const attempts = [...taken, ...updated.counted].flatMap((one) => one.attempts);
  await insertAttempts(service, tx, attempts, tenantOf);
  return [...logged, ...updated.kept];
}

/** What became of events that are in the log already. */
interface UpdatedLogs {
  readonly kept: readonly LeasedEvent[];
  /** Those whose attempts count, kept or begun anew by somebody else. */
  readonly counted: readonly EventProgress[];
}

async function updateLogs(
  service: ServiceContext,
  tx: Transaction,
  events: readonly EventProgress[],
  claimedUntil: number,
): Promise<UpdatedLogs> {
  const now = service.runtime.clock();
  const kept: LeasedEvent[] = [];
  const counted: EventProgress[] = [];
  const updating = events.map(async (one) => {
    const { attempts, claim, lease } = one;
    if (lease !== undefined) return;
    const next = { ...updatedAt(claim, now), version: claim.version + 1 };
    const isOwn = await updateLog(tx, next, claimedUntil);
    if (isOwn) kept.push(next);
    if (isOwn || (await countAttempts(service, tx, claim.log.id, attempts))) counted.push(one);
  });
  await Promise.all(updating);
  return { kept, counted };
}

/** The tenant that stores a log; undefined where it is removed or being removed. */
export type TenantOfLog = (tenantId: string | null) => string | null;

/** Finds out which tenants of events there are still, in the transaction that logs the events. */
export async function readTenantsOfLogs(
  { tenantsTable }: ServiceContext,
  tx: Transaction,
  events: readonly Pick<LeasedEvent, "tenantId">[],
): Promise<TenantOfLog> {
  const values = [...new Set(events.flatMap(({ tenantId }) => tenantId ?? []))];
  if (values.length === 0) return () => null;
  const isGoing: Filter = { op: "equals", column: "state", value: "PendingDelete" };
  const filters: readonly Filter[] = [
    { op: "in", column: "id", values },
    { op: "not", filter: isGoing },
  ];
  const staying = new Set(await tx.findIds(globalScope, tenantsTable, "id", { op: "and", filters }));
  return (tenantId) => (tenantId !== null && staying.has(tenantId) ? tenantId : null);
}

// The log of an event may have lost its tenant meanwhile, which is no change of the log.
async function updateLog(tx: Transaction, claim: LeasedEvent, claimedUntil: number): Promise<boolean> {
  const record = toRecord(claim, claimedUntil);
  if (await tx.update(globalScope, webhookEventLogsTable, record).then(isTrue, isOthers)) return true;
  if (claim.tenantId === null) return false;
  return tx.update(globalScope, webhookEventLogsTable, { ...record, tenantId: null }).then(isTrue, isOthers);
}

function updatedAt(claim: LeasedEvent, now: number): LeasedEvent {
  return { ...claim, log: { ...claim.log, lastUpdateInstant: now } };
}

// Whose lease has ended may be somebody else's now.
async function removeFromOutbox(tx: Transaction, events: readonly EventProgress[]): Promise<EventProgress[]> {
  const own: EventProgress[] = [];
  const leased = events.filter(({ lease }) => lease !== undefined);
  const groups = [...Map.groupBy(leased, ({ lease }) => lease?.until ?? 0)];
  const removing = groups.map(async ([until, group]) => {
    const positions = group.flatMap(({ lease }) => lease?.position ?? []);
    const removed = new Set(await tx.removeLeased(eventsTable, positions, until));
    for (const one of group) if (one.lease !== undefined && removed.has(one.lease.position)) own.push(one);
  });
  await Promise.all(removing);
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

/** Logs events for the first time, claimed until an instant. */
export async function insertLogs(
  tx: Transaction,
  claims: readonly LeasedEvent[],
  { claimedUntil, tenantOf }: { readonly claimedUntil: number; readonly tenantOf: TenantOfLog },
): Promise<void> {
  const records = claims.map((claim) => ({ ...toRecord(claim, claimedUntil), tenantId: tenantOf(claim.tenantId) }));
  if (records.length > 0) await tx.insert(globalScope, webhookEventLogsTable, records);
}

/** Keeps attempts at events that are logged. */
export async function insertAttempts(
  { runtime }: ServiceContext,
  tx: Transaction,
  attempts: readonly LoggedAttempt[],
  tenantOf: TenantOfLog,
): Promise<void> {
  const kept = attempts.map((attempt) => ({ ...attempt, tenantId: tenantOf(attempt.tenantId) }));
  if (kept.length > 0) await tx.insert(globalScope, webhookAttemptLogsTable, toAttemptRecords(runtime.newId, kept));
}
