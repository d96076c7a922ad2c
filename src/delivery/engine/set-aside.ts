import { toCanonicalJson } from "../../json/canonical-json.js";
import type { ServiceContext } from "../../operations/service-context.js";
import {
  type Filter,
  globalScope,
  type RecordToStore,
  StaleVersion,
  StorageUnavailable,
  type StoredRecord,
  type Table,
  type Transaction,
} from "../../ports/storage.js";
import { writeEventLog } from "../../resources/event-logs/rules.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../../resources/webhook-event-logs/table.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import type { OutboxLease } from "./stored-events.js";
import { setAsideTable } from "./table.js";

/** A poison record: it makes every transaction fail that processes it. */
export interface PoisonRecord {
  readonly table: Table;
  readonly record: Pick<StoredRecord, "hidden" | "id" | "json">;
  readonly error: unknown;
}

/** Who wants to hear of events could not be found out, which is no fault of the events. */
export class ReceiversUnknown extends Error {}

/** Whether an error may pass by itself, and says nothing of any record. */
export function isTransient(error: unknown): boolean {
  return error instanceof StorageUnavailable || error instanceof ReceiversUnknown;
}

const maxReasonLength = 500;

/** Stores a record that its caller removes from its own table, in the same transaction; logs and publishes it after the commit. */
export async function setAsideRecord(service: ServiceContext, tx: Transaction, bad: PoisonRecord): Promise<void> {
  const { error, record, table } = bad;
  const { clock, newId } = service.runtime;
  const now = clock();
  const id = newId();
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, maxReasonLength);
  const told = { id, recordId: record.id, reason, table: table.name };
  const kept: RecordToStore = {
    id,
    tenantId: null,
    version: 1,
    insertInstant: now,
    lastUpdateInstant: now,
    // Escaped: what a database cannot hold may be the reason.
    json: toStorable(toCanonicalJson(told)),
    hidden: toStorable(JSON.stringify({ hidden: record.hidden, json: record.json })),
    columns: { tableName: table.name },
  };
  await tx.insert(globalScope, setAsideTable, [kept]);
  tx.afterCommit(() => tell(service, bad));
}

// In JSON an escaped NUL is no NUL, but databases that know JSON refuse it all the same.
function toStorable(json: string): string {
  return json.replaceAll("\\u0000", "\\ufffd").toWellFormed();
}

/** Moves a record out of its table, in a transaction of its own, so that it stands in nobody's way. */
export async function setAside(service: ServiceContext, bad: PoisonRecord): Promise<void> {
  const { record, table } = bad;
  await move(service, bad, async (tx) => {
    if (table === webhookEventLogsTable)
      await tx.remove(globalScope, webhookAttemptLogsTable, equalsFilter("webhookEventLogId", record.id));
    return (await tx.remove(globalScope, table, equalsFilter("id", record.id))) > 0;
  });
}

/** As {@link setAside}, for a record of the outbox that is leased. */
export function setLeasedAside(service: ServiceContext, bad: PoisonRecord, { position, until }: OutboxLease): Promise<void> {
  return move(service, bad, async (tx) => (await tx.removeLeased(bad.table, [position], until)).length > 0);
}

async function move(service: ServiceContext, bad: PoisonRecord, remove: (tx: Transaction) => Promise<boolean>): Promise<void> {
  try {
    await service.storage.transaction(async (tx) => {
      if (await remove(tx)) await setAsideRecord(service, tx, bad);
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    const { record, table } = bad;
    service.runtime.logger.error({ err: error, id: record.id, table: table.name }, "a record could not be set aside");
  }
}

// The entry of the event log is an event too, which is not published when it is itself the one that was set aside.
function tell(service: ServiceContext, { error, record, table }: PoisonRecord): void {
  const { logger } = service.runtime;
  logger.error({ err: error, id: record.id, table: table.name }, "a record was set aside: it could not be delivered");
  if (record.json.includes('"event-log.create"')) return;
  const message = `A record of ${table.name} could not be delivered and was set aside: ${record.id}`;
  const noted = service.storage.transaction((tx) => writeEventLog({ service, tx }, { message, type: "Error" }));
  noted.catch((failure: unknown) => logger.error({ err: failure }, "the event log could not be written"));
}

/** How records that are due are found and claimed. */
export interface LeaseQuery<Claim> {
  readonly table: Table;
  readonly limit: number;
  /** Those that are due and that nobody has claimed. */
  readonly due: Filter;
  /** What is claimed, and the record that says so. @throws Error when the record makes no sense. */
  readonly claim: (stored: StoredRecord) => { readonly claimed: Claim; readonly record: RecordToStore };
}

const sort = [{ column: "dueInstant", direction: "asc" } as const];

/** How many records are read first, and how many characters of them together: few, for each may be large. */
const firstSize = 4;
const maxLength = 2 * 1_048_576;

/** What was claimed, and whether there may be more that is due. */
export interface LeasedRecords<Claim> {
  readonly claimed: readonly Claim[];
  readonly hasMore: boolean;
}

/** Claims what has been due for the longest time; what cannot be claimed is set aside. */
export async function claimRecords<Claim>(service: ServiceContext, claiming: LeaseQuery<Claim>): Promise<LeasedRecords<Claim>> {
  const claimed: Claim[] = [];
  let [size, length, count] = [firstSize, 0, 0];
  while (count < claiming.limit && length < maxLength) {
    const limit = Math.min(size, claiming.limit - count);
    const note = ({ hidden, json }: StoredRecord): void => {
      length += json.length + (hidden?.length ?? 0);
    };
    const some = await claimSome(service, { ...claiming, limit }, note).catch((error: unknown) => {
      // What was claimed before is claimed: nobody else would deliver it for a while.
      if (claimed.length === 0) throw error;
    });
    if (some === undefined) break;
    for (const one of some.claimed) claimed.push(one);
    if (some.found < limit) return { claimed, hasMore: false };
    count += limit;
    size *= 4;
  }
  return { claimed, hasMore: true };
}

interface Claims<Claim> {
  readonly claimed: readonly Claim[];
  readonly found: readonly StoredRecord[];
}

async function claimSome<Claim>(
  service: ServiceContext,
  claiming: LeaseQuery<Claim>,
  note: (stored: StoredRecord) => void,
): Promise<{ readonly claimed: readonly Claim[]; readonly found: number }> {
  const { due, limit, table } = claiming;
  const { storage } = service;
  try {
    const work = async (tx: Transaction): Promise<Claims<Claim>> => {
      const found = await tx.find(globalScope, table, due, { sort, limit });
      return { found, claimed: await claimEach(tx, claiming, found) };
    };
    const { claimed, found } = await storage.transaction(work, { isolation: "snapshot" });
    found.forEach(note);
    return { claimed, found: found.length };
  } catch (error) {
    if (isTransient(error) || error instanceof StaleVersion) throw error;
  }
  // One of them is bad: each by itself, so that it is found.
  const found = await storage.find(globalScope, table, due, { sort, limit });
  found.forEach(note);
  const claimed: Claim[] = [];
  for (const stored of found) for (const one of await claimAlone(service, claiming, stored)) claimed.push(one);
  return { claimed, found: found.length };
}

async function claimAlone<Claim>(
  service: ServiceContext,
  claiming: LeaseQuery<Claim>,
  stored: StoredRecord,
): Promise<readonly Claim[]> {
  try {
    return await service.storage.transaction((tx) => claimEach(tx, claiming, [stored]));
  } catch (error) {
    if (isTransient(error)) throw error;
    if (!(error instanceof StaleVersion)) await setAside(service, { table: claiming.table, record: stored, error });
    return [];
  }
}

async function claimEach<Claim>(
  tx: Transaction,
  { claim, table }: LeaseQuery<Claim>,
  found: readonly StoredRecord[],
): Promise<readonly Claim[]> {
  const claims = found.map(claim);
  await Promise.all(claims.map(({ record }) => tx.update(globalScope, table, record)));
  return claims.map(({ claimed }) => claimed);
}
