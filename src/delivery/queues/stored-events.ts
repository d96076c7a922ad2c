import type { Attempt } from "../../operations/events/approvals.js";
import type { WriteCall } from "../../operations/operation.js";
import { eventsTable } from "../../operations/outbox/tables.js";
import { type Filter, globalScope, type Transaction } from "../../ports/storage.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../../records/webhook-event-logs/family.js";
import type { Progress } from "../engine/delivery-state.js";
import { updateLeased } from "../engine/lease-due.js";
import { type LeasedEvent, readEvent, toAttemptRecord, toEventRecord, withAttempts } from "./leased-event.js";

type EventProgress = Progress<LeasedEvent>;
/** The service and the transaction that writes logs. */
export type LogWrite = Pick<WriteCall, "service" | "tx">;

/**
 * Stores the delivery state and lease of events in the caller's transaction; returns the events as stored. For events that were
 * resent meanwhile, it stores only the attempts; it skips events that another process has leased.
 */
export async function saveEvents(
  call: LogWrite,
  events: readonly EventProgress[],
  leasedUntil: number,
): Promise<readonly LeasedEvent[]> {
  const { service, tx } = call;
  const now = service.runtime.clock();
  const units = events.map(({ unit }) => unit);
  // Sent together: one round trip to the database, not one for each event.
  const [taken, updated, tenantOf] = await Promise.all([
    removeFromOutbox(tx, events),
    updateLogs(call, events, leasedUntil),
    readTenantsOfLogs(call, units),
  ]);
  const logged = taken.map(({ unit }) => updatedAt(unit, now));
  await insertLogs(tx, logged, { leasedUntil, tenantOf });
  await insertAttempts(call, [...taken, ...updated.counted], tenantOf);
  return [...logged, ...updated.stored];
}

interface UpdatedLogs {
  readonly stored: readonly LeasedEvent[];
  /** Those with new attempts, stored here or resent by another call. */
  readonly counted: readonly EventProgress[];
}

async function updateLogs(call: LogWrite, events: readonly EventProgress[], leasedUntil: number): Promise<UpdatedLogs> {
  const now = call.service.runtime.clock();
  const stored: LeasedEvent[] = [];
  const counted: EventProgress[] = [];
  const updating = events.map(async (one) => {
    const { attempts, unit, lease } = one;
    if (lease !== undefined) return;
    const next = { ...updatedAt(unit, now), version: unit.version + 1 };
    const isOwn = await updateLog(call.tx, next, leasedUntil);
    if (isOwn) stored.push(next);
    if (isOwn || (await countAttempts(call, unit.log.id, attempts))) counted.push(one);
  });
  await Promise.all(updating);
  return { stored, counted };
}

/** The tenant that stores a log; null once its removal has begun. */
export type TenantOfLog = (tenantId: string | null) => string | null;

/** Reads which tenants of events still exist. */
export async function readTenantsOfLogs(
  { service: { tenantsTable }, tx }: LogWrite,
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

// The log may have lost its tenant meanwhile, without a new version.
async function updateLog(tx: Transaction, unit: LeasedEvent, leasedUntil: number): Promise<boolean> {
  const record = toEventRecord(unit, leasedUntil);
  if (await updateLeased(tx, webhookEventLogsTable, record)) return true;
  if (unit.tenantId === null) return false;
  return updateLeased(tx, webhookEventLogsTable, { ...record, tenantId: null });
}

function updatedAt(unit: LeasedEvent, now: number): LeasedEvent {
  return { ...unit, log: { ...unit.log, lastUpdateInstant: now } };
}

// After the end of the lease, another process may have the event.
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

/** Counts attempts at an event that was resent and is not leased; returns whether it did. */
async function countAttempts({ service: { runtime }, tx }: LogWrite, id: string, attempts: readonly Attempt[]): Promise<boolean> {
  if (attempts.length === 0) return false;
  const filters: readonly Filter[] = [
    { op: "equals", column: "id", value: id },
    { op: "compare", column: "claimedUntil", comparison: "<", value: runtime.clock() },
  ];
  const [free] = await tx.find(globalScope, webhookEventLogsTable, { op: "and", filters }, { limit: 1 });
  if (free === undefined) return false;
  const unit = withAttempts(readEvent(free), attempts);
  await tx.update(globalScope, webhookEventLogsTable, toEventRecord({ ...unit, version: unit.version + 1 }, 0));
  return true;
}

/** Logs events for the first time, leased until an instant. */
export async function insertLogs(
  tx: Transaction,
  events: readonly LeasedEvent[],
  { leasedUntil, tenantOf }: { readonly leasedUntil: number; readonly tenantOf: TenantOfLog },
): Promise<void> {
  const records = events.map((unit) => ({ ...toEventRecord(unit, leasedUntil), tenantId: tenantOf(unit.tenantId) }));
  if (records.length > 0) await tx.insert(globalScope, webhookEventLogsTable, records);
}

/** Stores the attempts at logged events. */
export async function insertAttempts(
  { service: { runtime }, tx }: LogWrite,
  tried: readonly Pick<EventProgress, "attempts" | "unit">[],
  tenantOf: TenantOfLog,
): Promise<void> {
  const records = tried.flatMap(({ attempts, unit: { log, tenantId } }) =>
    attempts.map((attempt) => toAttemptRecord(runtime.newId(), attempt, { eventLogId: log.id, tenantId: tenantOf(tenantId) })),
  );
  if (records.length > 0) await tx.insert(globalScope, webhookAttemptLogsTable, records);
}
