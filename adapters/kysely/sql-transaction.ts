import {
  type ColumnValue,
  type Criteria,
  type Filter,
  globalScope,
  type HiddenText,
  type Lease,
  type LogRecord,
  type PositionRange,
  type RecordRead,
  type RecordToStore,
  type SearchPage,
  StaleVersion,
  type StorageReader,
  type StoredRecord,
  type Table,
  type TenantScope,
  type Transaction,
  UniqueViolation,
} from "latchkey/ports";
import { PendingInserts, PendingLookups } from "./pending-writes.js";
import { assertInScope } from "./sql/compile-filter.js";
import type { Query } from "./sql/fragment.js";
import { runForEach, type SqlDatabase, type SqlParameters, type SqlTransaction, withReferences } from "./sql/sql-connection.js";
import { columnValue, toParameters, toRewriteParameters, toStoredRecord, toUpdateParameters } from "./sql/table-sql.js";
import { SqlReader } from "./sql-reader.js";
import type { Statements } from "./statements.js";

/** A transaction on any database with a Kysely dialect. */
export class SqlStorageTransaction<Native> extends SqlReader implements Transaction<Native> {
  readonly #tx: SqlTransaction<Native>;
  readonly #database: SqlDatabase<Native>;
  /** Waiting log records, if the connection permits. */
  readonly #pending: PendingInserts | undefined;
  readonly #lookups: PendingLookups;

  constructor(tx: SqlTransaction<Native>, database: SqlDatabase<Native>, statements: Statements) {
    super(tx.connection, statements);
    this.#tx = tx;
    this.#database = database;
    this.#lookups = new PendingLookups(tx.connection, statements);
    if (tx.connection.post !== undefined) this.#pending = new PendingInserts((table, records) => this.#post(table, records));
  }

  // The host's own statements must see earlier writes.
  get native(): Native {
    this.#lookups.send();
    this.#pending?.stop();
    return this.#tx.native;
  }

  run<T>(work: (tx: Transaction<Native>) => Promise<T>): Promise<T> {
    const run = (): Promise<T> => this.#lookups.run(() => work(this));
    return this.#pending === undefined ? run() : this.#pending.run(run, () => this.#tx.undoOpen?.());
  }

  expectNone(scope: TenantScope, table: Table, column: string, values: readonly ColumnValue[]): boolean {
    return this.#lookups.add({ scope, table, column, values });
  }

  override async retrieve(scope: TenantScope, table: Table, id: string): Promise<StoredRecord | undefined> {
    this.#writePending(table);
    const { known } = this.#tx;
    if (known === undefined || scope.kind === "tenant") return super.retrieve(scope, table, id);
    const read = async (): Promise<readonly StoredRecord[]> =>
      [await super.retrieve(scope, table, id)].filter((one) => one !== undefined);
    return (await known.find(table.name, `id ${id}`, read))[0];
  }

  override find(...call: Parameters<StorageReader["find"]>): Promise<readonly StoredRecord[]> {
    const [scope, table, filter, options] = call;
    this.#writePending(table);
    const { known } = this.#tx;
    const read = (): Promise<readonly StoredRecord[]> => super.find(...call);
    if (known === undefined || scope.kind === "tenant" || filter !== undefined || options?.sort !== undefined) return read();
    return known.find(table.name, `first ${options?.limit}`, read);
  }

  override findEach(reads: readonly RecordRead[]): Promise<readonly (readonly StoredRecord[])[]> {
    for (const { table } of reads) this.#writePending(table);
    return super.findEach(reads);
  }

  override findIds(...call: Parameters<StorageReader["findIds"]>): Promise<readonly string[]> {
    this.#writePending(call[1]);
    return super.findIds(...call);
  }

  override findPositions(table: Table): Promise<readonly PositionRange[]> {
    this.#writePending(table);
    return super.findPositions(table);
  }

  override search(scope: TenantScope, table: Table, criteria: Criteria): Promise<SearchPage> {
    this.#writePending(table);
    return super.search(scope, table, criteria);
  }

  async insert(scope: TenantScope, table: Table, records: readonly RecordToStore[]): Promise<void> {
    for (const record of records) assertInScope(scope, record);
    this.#tx.known?.forget(table.name);
    // A log without unique keys has no collisions.
    if (this.#pending !== undefined && table.isLog && table.uniqueKeys.length === 0) return this.#pending.add(table, records);
    const sent = this.statements.many.insertAhead(this.connection, table, records);
    if (sent !== undefined) return sent;
    // If a collision rolls back the whole transaction, no savepoint is needed.
    if (records.length === 1 || this.#tx.isHopeful) await this.#insertAll(table, records);
    else await this.savepoint(() => this.#insertAll(table, records));
  }

  async update(scope: TenantScope, table: Table, record: RecordToStore): Promise<void> {
    assertInScope(scope, record);
    this.#beforeChange(table);
    await this.#tx.announce?.(table.name, record.id);
    const { updateInTenant, updateWithoutTenant } = this.statements.fixed(table);
    const sql = record.tenantId === null ? updateWithoutTenant : updateInTenant;
    if ((await this.connection.run(sql, toUpdateParameters(this.#database.profile, table, record))) > 0) return;
    const keys = await this.#collidingKeys(table, record, record.id);
    throw keys.length > 0 ? await this.#toRefusal(table, record, keys) : new StaleVersion(table.name, record.id);
  }

  async rewrite(scope: TenantScope, table: Table, records: readonly RecordToStore[]): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    this.#beforeChange(table);
    // Concurrent changes of the same records conflict at the first one.
    await this.#tx.announce?.(table.name, first.id);
    for (const record of records) assertInScope(scope, record);
    const { rewriteInTenant, rewriteWithoutTenant } = this.statements.fixed(table);
    await this.savepoint(async () => {
      for (const [tenantId, group] of Map.groupBy(records, (record) => record.tenantId)) {
        if (await this.#rewriteAtOnce(table, group)) continue;
        await this.#rewriteAll(tenantId === null ? rewriteWithoutTenant : rewriteInTenant, table, group);
      }
    });
  }

  async replaceHidden(scope: TenantScope, table: Table, records: readonly HiddenText[]): Promise<readonly string[]> {
    const [first] = records;
    if (first === undefined) return [];
    this.#beforeChange(table);
    // As for rewrites.
    await this.#tx.announce?.(table.name, first.id);
    const { many } = this.statements;
    if (many.takes(records)) return many.replaceHidden(this.connection, scope, table, records);
    const queries = records.map((record) => this.statements.replaceHidden(scope, table, record));
    const lists = queries.map(({ parameters }) => parameters);
    const replaced: string[] = [];
    await runForEach(this.connection, queries[0]?.sql ?? "", lists, (count, index) => {
      if (count > 0) replaced.push((records[index] as HiddenText).id);
    });
    return replaced;
  }

  async remove(scope: TenantScope, table: Table, filter: Filter | undefined): Promise<number> {
    // The database may also remove referencing records.
    this.#tx.known?.forget();
    this.#lookups.send();
    this.#writePending(table);
    const query = this.statements.remove({ scope, table, filter });
    return this.connection.run(query.sql, query.parameters);
  }

  async clearTenant(table: Table, tenantId: string, limit: number): Promise<number> {
    this.#beforeChange(table);
    const query = this.statements.clearTenant(table, tenantId, limit);
    return this.connection.run(query.sql, query.parameters);
  }

  async take(table: Table, limit: number, maxBytes?: number): Promise<readonly LogRecord[]> {
    this.#beforeChange(table);
    return this.#inOrder(this.statements.take(table, limit, maxBytes));
  }

  async lease(table: Table, lease: Lease): Promise<readonly LogRecord[]> {
    this.#beforeChange(table);
    return this.#inOrder(this.statements.lease(table, lease));
  }

  async removeLeased(table: Table, positions: readonly number[], until: number): Promise<readonly number[]> {
    this.#beforeChange(table);
    const query = this.statements.removeLeased(table, positions, until);
    return (await this.connection.all(query.sql, query.parameters)).map(({ added }) => Number(added));
  }

  savepoint<T>(work: () => Promise<T>): Promise<T> {
    const pending = this.#pending;
    return withReferences(this.#database, this.#tx.savepoint(pending === undefined ? work : () => pending.savepoint(work)));
  }

  afterCommit(callback: () => void): void {
    this.#tx.afterCommit(callback);
  }

  async settle(): Promise<void> {
    this.#lookups.send();
    await this.#tx.settle?.();
  }

  isAwaited(): boolean {
    return this.#tx.isAwaited?.() === true;
  }

  // Databases return changed rows in any order.
  async #inOrder({ parameters, sql }: Query): Promise<readonly LogRecord[]> {
    const rows = await this.connection.all(sql, parameters);
    const records = rows.map((row) => ({ ...toStoredRecord(row), position: Number(row.added) }));
    return records.sort((a, b) => a.position - b.position);
  }

  #rewriteAll(sql: string, table: Table, records: readonly RecordToStore[]): Promise<void> {
    const lists = records.map((record) => toRewriteParameters(this.#database.profile, table, record));
    return runForEach(this.connection, sql, lists, (changed, index) => {
      if (changed === 0) throw new StaleVersion(table.name, (records[index] as RecordToStore).id);
    });
  }

  async #rewriteAtOnce(table: Table, records: readonly RecordToStore[]): Promise<boolean> {
    const { many } = this.statements;
    return many.takes(records) && many.rewrite(this.connection, (work) => this.savepoint(work), table, records);
  }

  async #insertAtOnce(table: Table, records: readonly RecordToStore[]): Promise<boolean> {
    const { many } = this.statements;
    if (!many.takes(records) || this.#tx.isHopeful) return false;
    return many.insert(this.connection, (work) => this.savepoint(work), table, records);
  }

  #post(table: Table, records: readonly RecordToStore[]): void {
    const { connection, statements } = this;
    const { insert } = statements.fixed(table);
    if (statements.many.takes(records)) statements.many.post(connection, table, records);
    else for (const record of records) connection.post?.(insert, toParameters(this.#database.profile, table, record));
  }

  #writePending(table: Table): void {
    if (table.isLog) this.#pending?.write();
  }

  #beforeChange(table: Table): void {
    this.#tx.known?.forget(table.name);
    this.#lookups.send(table);
    this.#writePending(table);
  }

  async #insertAll(table: Table, records: readonly RecordToStore[]): Promise<void> {
    if (await this.#insertAtOnce(table, records)) return;
    const { insert, insertOrFail } = this.statements.fixed(table);
    const lists = records.map((record) => toParameters(this.#database.profile, table, record));
    const check = (count: number, index: number): Promise<never> | undefined =>
      count > 0 ? undefined : this.#refuse(table, records[index] as RecordToStore);
    const [first] = lists;
    if (this.connection.post !== undefined && this.#tx.isHopeful)
      for (const parameters of lists) this.connection.post(insertOrFail, parameters);
    else if (first !== undefined && lists.length === 1) await check(await this.#insertOne(table, first), 0);
    else await runForEach(this.connection, insert, lists, check);
  }

  // Returns the number of stored records.
  async #insertOne(table: Table, parameters: SqlParameters): Promise<number> {
    const { insert, insertOrFail, removeOne } = this.statements.fixed(table);
    const { connection } = this;
    const undo = { sql: removeOne, parameters: [parameters[0]] };
    if (connection.insertAhead === undefined)
      return connection.insert?.(insert, parameters, undo) ?? connection.run(insert, parameters);
    await connection.insertAhead(insertOrFail, parameters, undo);
    return 1;
  }

  async #refuse(table: Table, record: RecordToStore): Promise<never> {
    const kept = await this.retrieve(globalScope, table, record.id);
    throw new UniqueViolation(table.name, [...(kept ? ["id"] : []), ...(await this.#collidingKeys(table, record))]);
  }

  async #toRefusal(table: Table, record: RecordToStore, keys: readonly string[]): Promise<Error> {
    const kept = await this.retrieve(globalScope, table, record.id);
    const isFresh = kept?.version === record.version - 1 && kept.tenantId === record.tenantId;
    return isFresh ? new UniqueViolation(table.name, keys) : new StaleVersion(table.name, record.id);
  }

  // The unique keys that another record has; `ownId` is the record itself. Queried rather than parsed from the database's error
  // texts, so that every database names every collision.
  async #collidingKeys(table: Table, record: RecordToStore, ownId?: string): Promise<string[]> {
    const colliding: string[] = [];
    for (const key of table.uniqueKeys) {
      const values = key.columns.map((column) => columnValue(record, column));
      if (values.includes(null)) continue;
      const filters = key.columns.map((column, index) => ({ op: "equals", column, value: values[index] ?? null }) as const);
      const others = await this.find(globalScope, table, { op: "and", filters }, { limit: 2 });
      if (others.some((other) => other.id !== ownId)) colliding.push(key.name);
    }
    return colliding;
  }
}
