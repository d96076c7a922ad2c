import type {
  ColumnValue,
  Criteria,
  Filter,
  FindOptions,
  HiddenText,
  Lease,
  LogRecord,
  PositionRange,
  RecordRead,
  RecordToStore,
  SearchPage,
  StorageReader,
  StoredRecord,
  Table,
  TenantScope,
  Transaction,
} from "../ports/storage.js";

/** The most records in a cached result: longer ones are seldom read twice. */
const maxCachedRecords = 20;

/** The most cached reads of a table: a walk through records reads none of them twice. */
const maxCachedReads = 1_000;

interface CachedTable {
  readonly table: Table;
  readonly records: Map<string, StoredRecord>;
  readonly results: Map<string, readonly StoredRecord[]>;
}

/** Where a result is cached. */
interface CachedResult {
  readonly inTable: CachedTable;
  readonly key: string;
  readonly known: readonly StoredRecord[] | undefined;
}

/** Returns the result of `find` for each of a few reads, in one statement where the storage can. */
export async function findEach(
  reader: StorageReader,
  reads: readonly RecordRead[],
): Promise<readonly (readonly StoredRecord[])[]> {
  if (reads.length === 0) return [];
  if (reader.findEach !== undefined) return reader.findEach(reads);
  const found: (readonly StoredRecord[])[] = [];
  for (const { filter, scope, sizeLimit, table } of reads)
    found.push(await reader.find(scope, table, filter, { ...(sizeLimit && { sizeLimit }) }));
  return found;
}

/**
 * Wraps a transaction so that it reads each record, and runs each `find`, only once: within a transaction, only its own writes
 * change results, and these invalidate the cache. Caches nothing more once host code takes the native handle, which can write
 * anything.
 */
export function cacheReads<Native>(tx: Transaction<Native>): Transaction<Native> {
  return new CachingTransaction(tx);
}

class CachingTransaction<Native> implements Transaction<Native> {
  readonly #tx: Transaction<Native>;
  readonly #tables = new Map<string, CachedTable>();
  #isCaching = true;

  constructor(tx: Transaction<Native>) {
    this.#tx = tx;
  }

  get native(): Native {
    this.#isCaching = false;
    return this.#tx.native;
  }

  get settle(): Transaction["settle"] {
    return this.#tx.settle?.bind(this.#tx);
  }

  get isAwaited(): Transaction["isAwaited"] {
    return this.#tx.isAwaited?.bind(this.#tx);
  }

  expectNone(scope: TenantScope, table: Table, column: string, values: readonly ColumnValue[]): boolean {
    return this.#tx.expectNone?.(scope, table, column, values) === true;
  }

  async retrieve(scope: TenantScope, table: Table, id: string): Promise<StoredRecord | undefined> {
    const cached = this.#cached(table);
    const known = cached?.records.get(id);
    if (known !== undefined && isInScope(scope, known)) return known;
    const found = await this.#tx.retrieve(scope, table, id);
    if (found !== undefined) cached?.records.set(id, found);
    return found;
  }

  async find(
    scope: TenantScope,
    table: Table,
    filter: Filter | undefined,
    options?: FindOptions,
  ): Promise<readonly StoredRecord[]> {
    const cached = this.#cachedResult(table, keyOf(scope, filter, options));
    return cached?.known ?? cacheResult(cached, await this.#tx.find(scope, table, filter, options));
  }

  async findEach(reads: readonly RecordRead[]): Promise<readonly (readonly StoredRecord[])[]> {
    const cached = reads.map(({ filter, scope, sizeLimit, table }) =>
      this.#cachedResult(table, keyOf(scope, filter, { ...(sizeLimit && { sizeLimit }) })),
    );
    const found = await findEach(
      this.#tx,
      reads.filter((_, index) => cached[index]?.known === undefined),
    );
    const rest = found.values();
    return cached.map((one) => one?.known ?? cacheResult(one, rest.next().value ?? []));
  }

  findIds(scope: TenantScope, table: Table, column: string, filter: Filter | undefined): Promise<readonly string[]> {
    return this.#tx.findIds(scope, table, column, filter);
  }

  findPositions(table: Table): Promise<readonly PositionRange[]> {
    return this.#tx.findPositions(table);
  }

  search(scope: TenantScope, table: Table, criteria: Criteria): Promise<SearchPage> {
    return this.#tx.search(scope, table, criteria);
  }

  insert(scope: TenantScope, table: Table, records: readonly RecordToStore[]): Promise<void> {
    this.#tables.get(table.name)?.results.clear();
    return this.#tx.insert(scope, table, records);
  }

  async update(scope: TenantScope, table: Table, record: RecordToStore): Promise<void> {
    this.#tables.delete(table.name);
    await this.#tx.update(scope, table, record);
    const { id, tenantId, version, json, hidden } = record;
    this.#cached(table)?.records.set(id, { id, tenantId, version, json, hidden });
  }

  rewrite(scope: TenantScope, table: Table, records: readonly RecordToStore[]): Promise<void> {
    this.#tables.delete(table.name);
    return this.#tx.rewrite(scope, table, records);
  }

  replaceHidden(scope: TenantScope, table: Table, records: readonly HiddenText[]): Promise<readonly string[]> {
    this.#tables.delete(table.name);
    return this.#tx.replaceHidden(scope, table, records);
  }

  remove(scope: TenantScope, table: Table, filter: Filter | undefined): Promise<number> {
    for (const { table: other } of this.#tables.values()) if (mayGoWith(other, table)) this.#tables.delete(other.name);
    return this.#tx.remove(scope, table, filter);
  }

  clearTenant(table: Table, tenantId: string, limit: number): Promise<number> {
    this.#tables.delete(table.name);
    return this.#tx.clearTenant(table, tenantId, limit);
  }

  take(table: Table, limit: number, maxBytes?: number): Promise<readonly LogRecord[]> {
    return this.#tx.take(table, limit, maxBytes);
  }

  lease(table: Table, lease: Lease): Promise<readonly LogRecord[]> {
    return this.#tx.lease(table, lease);
  }

  removeLeased(table: Table, positions: readonly number[], until: number): Promise<readonly number[]> {
    return this.#tx.removeLeased(table, positions, until);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#tx.savepoint(work);
    } catch (error) {
      this.#tables.clear();
      throw error;
    }
  }

  afterCommit(callback: () => void): void {
    this.#tx.afterCommit(callback);
  }

  #cachedResult(table: Table, key: string | undefined): CachedResult | undefined {
    const inTable = key === undefined ? undefined : this.#cached(table);
    return key === undefined || inTable === undefined ? undefined : { inTable, key, known: inTable.results.get(key) };
  }

  // Other calls than updates change records of a log.
  #cached(table: Table): CachedTable | undefined {
    if (!this.#isCaching || table.isLog) return undefined;
    const found = this.#tables.get(table.name);
    const isFull = found !== undefined && Math.max(found.records.size, found.results.size) >= maxCachedReads;
    const known = found === undefined || isFull ? { table, records: new Map(), results: new Map() } : found;
    this.#tables.set(table.name, known);
    return known;
  }
}

function cacheResult(place: CachedResult | undefined, found: readonly StoredRecord[]): readonly StoredRecord[] {
  if (place === undefined || found.length > maxCachedRecords) return found;
  place.inTable.results.set(place.key, found);
  for (const record of found) place.inTable.records.set(record.id, record);
  return found;
}

function isInScope(scope: TenantScope, { tenantId }: StoredRecord): boolean {
  return scope.kind === "global" || tenantId === scope.tenantId;
}

// The database may also remove records that refer to a removed one, such as all records of a tenant.
function mayGoWith({ columns, name, tenancy }: Table, removed: Table): boolean {
  const refers = Object.values(columns).some(({ references }) => references !== undefined);
  return name === removed.name || refers || (removed.tenancy === "global" && tenancy !== "global");
}

// Undefined for results that depend on another table, for pages, and for filters with many values.
function keyOf(
  scope: TenantScope,
  filter: Filter | undefined,
  { after, sort, ...options }: FindOptions = {},
): string | undefined {
  if (filter === undefined || after !== undefined || sort !== undefined || !isLookup(filter)) return undefined;
  return JSON.stringify([scope, filter, options]);
}

function isLookup(filter: Filter): boolean {
  switch (filter.op) {
    case "exists":
      return false;
    case "in":
      return filter.values.length <= maxCachedRecords;
    case "and":
    case "or":
      return filter.filters.every(isLookup);
    case "not":
      return isLookup(filter.filter);
    default:
      return true;
  }
}
