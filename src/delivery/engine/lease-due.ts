import type { ServiceContext } from "../../operations/service-context.js";
import {
  type Filter,
  globalScope,
  type RecordToStore,
  StaleVersion,
  type StorageReader,
  type StoredRecord,
  type Table,
  type Transaction,
} from "../../ports/storage.js";
import { appendAll } from "../../shared/objects.js";
import { type LeasedUnit, nextInstant, type UnitTable } from "./delivery-state.js";
import { isTransient, setAside } from "./set-aside.js";

/** Leased units, and whether more may be due. */
export interface DueUnits<Unit> {
  readonly units: readonly Unit[];
  readonly hasMore: boolean;
}

const sort = [{ column: "dueInstant", direction: "asc" } as const];

/** The records of the first read, and the most characters of all: few, since each may be large. */
const firstSize = 4;
const maxLength = 2 * 1_048_576;
const maxTries = 5;

function isDue(now: number): Filter {
  const filters: readonly Filter[] = [
    { op: "compare", column: "dueInstant", comparison: "<=", value: now },
    { op: "compare", column: "claimedUntil", comparison: "<", value: now },
  ];
  return { op: "and", filters };
}

/** Leases the units that have been due for the longest time and are not leased. Sets invalid records aside. */
export async function leaseDue<Unit extends LeasedUnit>(
  service: ServiceContext,
  source: UnitTable<Unit>,
  limit: number,
): Promise<DueUnits<Unit>> {
  const { runtime, storage } = service;
  for (let tries = 0; tries < maxTries; tries++) {
    // Mostly none is due; a plain read detects that without blocking writers.
    const [first] = await storage.find(globalScope, source.table, isDue(runtime.clock()), { sort, limit: 1 });
    if (first === undefined) return { units: [], hasMore: false };
    try {
      return await leaseInSteps(service, source, limit);
    } catch (error) {
      // Another process has leased one of them meanwhile.
      if (!(error instanceof StaleVersion)) throw error;
    }
  }
  return { units: [], hasMore: true };
}

async function leaseInSteps<Unit extends LeasedUnit>(
  service: ServiceContext,
  source: UnitTable<Unit>,
  limit: number,
): Promise<DueUnits<Unit>> {
  const units: Unit[] = [];
  let [size, length, count] = [firstSize, 0, 0];
  while (count < limit && length < maxLength) {
    const wanted = Math.min(size, limit - count);
    const some = await leaseSome(service, source, wanted).catch((error: unknown) => {
      // Keep the units leased so far: no other process would deliver them before the lease ends.
      if (units.length === 0) throw error;
    });
    if (some === undefined) break;
    appendAll(units, some.units);
    if (some.found.length < wanted) return { units, hasMore: false };
    for (const { hidden, json } of some.found) length += json.length + (hidden?.length ?? 0);
    count += wanted;
    size *= 4;
  }
  return { units, hasMore: true };
}

interface LeasedRecords<Unit> {
  readonly units: readonly Unit[];
  readonly found: readonly StoredRecord[];
}

async function leaseSome<Unit extends LeasedUnit>(
  service: ServiceContext,
  source: UnitTable<Unit>,
  limit: number,
): Promise<LeasedRecords<Unit>> {
  const { runtime, storage } = service;
  const now = runtime.clock();
  const read = (reader: StorageReader): Promise<readonly StoredRecord[]> =>
    reader.find(globalScope, source.table, isDue(now), { sort, limit });
  const work = async (tx: Transaction): Promise<LeasedRecords<Unit>> => {
    const found = await read(tx);
    return { found, units: await leaseAll(tx, source, { found, now }) };
  };
  try {
    return await storage.transaction(work, { isolation: "snapshot" });
  } catch (error) {
    if (isTransient(error) || error instanceof StaleVersion) throw error;
  }
  // One of them is bad: lease each in its own transaction, to find it.
  const found = await read(storage);
  const units: Unit[] = [];
  for (const stored of found) appendAll(units, await leaseAlone(service, source, stored));
  return { found, units };
}

async function leaseAlone<Unit extends LeasedUnit>(
  service: ServiceContext,
  source: UnitTable<Unit>,
  stored: StoredRecord,
): Promise<readonly Unit[]> {
  try {
    return await service.storage.transaction((tx) => leaseAll(tx, source, { found: [stored], now: service.runtime.clock() }));
  } catch (error) {
    if (isTransient(error)) throw error;
    if (!(error instanceof StaleVersion)) await setAside(service, { table: source.table, record: stored, error });
    return [];
  }
}

async function leaseAll<Unit extends LeasedUnit>(
  tx: Transaction,
  { leaseMilliseconds, read, table, toRecord }: UnitTable<Unit>,
  { found, now }: { readonly found: readonly StoredRecord[]; readonly now: number },
): Promise<readonly Unit[]> {
  const units = found.map(read).map((unit) => ({ ...unit, version: unit.version + 1 }));
  await Promise.all(units.map((unit) => tx.update(globalScope, table, toRecord(unit, now + leaseMilliseconds))));
  return units;
}

/** Stores the record of a leased unit; returns false where another process has leased it meanwhile. */
export async function updateLeased(tx: Transaction, table: Table, record: RecordToStore): Promise<boolean> {
  try {
    await tx.update(globalScope, table, record);
    return true;
  } catch (error) {
    if (error instanceof StaleVersion) return false;
    throw error;
  }
}

/** The instant of the next retry in some tables, in epoch milliseconds; undefined without any. */
export async function findNextDue(
  { runtime, storage }: ServiceContext,
  sources: readonly Pick<UnitTable<LeasedUnit>, "read" | "table">[],
): Promise<number | undefined> {
  const later: Filter = { op: "compare", column: "dueInstant", comparison: ">", value: runtime.clock() };
  const found = sources.map(async ({ read, table }) =>
    (await storage.find(globalScope, table, later, { sort, limit: 1 })).flatMap((stored) => {
      try {
        return nextInstant(read(stored).state) ?? [];
      } catch {
        // An invalid record is set aside when it is due.
        return [];
      }
    }),
  );
  const instants = (await Promise.all(found)).flat();
  return instants.sort((a, b) => a - b)[0];
}
