import type {
  Criteria,
  IndexedSearch,
  IndexPlan,
  IndexPlanOptions,
  IndexProgress,
  Runtime,
  SearchPage,
  Storage,
  StorageCapabilities,
  StorageReader,
  StorageSignals,
  StoredRecord,
  Table,
  TenantScope,
  Transaction,
  TransactionOptions,
} from "latchkey/ports";
import { isLookup, isShortFind } from "./long-reads.js";
import { migrate } from "./schema-writer.js";
import type { SearchShape } from "./search/requested-index.js";
import { type SearchContext, Totals } from "./search/search-page.js";
import type { CreateSearchIndex, SearchIndex } from "./search/search-statements.js";
import type { TableState } from "./search/table-state.js";
import {
  type LongReads,
  type ReplicaReads,
  type SqlConnection,
  type SqlDatabase,
  type SqlTransaction,
  withReferences,
} from "./sql/sql-connection.js";
import { type TableNames, toSqlTable } from "./sql/table-sql.js";
import { SqlReader } from "./sql-reader.js";
import { SqlStorageTransaction } from "./sql-transaction.js";
import { Statements } from "./statements.js";

/**
 * A storage on any database with a Kysely dialect. `tablePrefix` separates the service's tables from the host's. `createAid`
 * creates the search index for searches outside of transactions.
 */
export function createSqlStorage<Native>(
  database: SqlDatabase<Native>,
  options: TableNames,
  createAid?: CreateSearchIndex,
): Storage<Native> {
  return new SqlStorage(database, options, createAid);
}

type Found = Promise<readonly StoredRecord[]>;

class SqlStorage<Native> extends SqlReader implements Storage<Native> {
  readonly capabilities: StorageCapabilities;
  readonly signals: StorageSignals | undefined;
  readonly #database: SqlDatabase<Native>;
  readonly #tables: Map<string, Table>;
  readonly #names: TableNames;
  readonly #aid: SearchIndex | undefined;
  /** The readers on the connections of long reads. */
  readonly #longReaders = new WeakMap<SqlConnection, SqlReader>();

  constructor(database: SqlDatabase<Native>, names: TableNames, createAid?: CreateSearchIndex) {
    const tables = new Map<string, Table>();
    const sqlTable = (name: string): string => toSqlTable(names, name);
    const context = { profile: database.profile, tables, sqlTable };
    const aid = createAid?.(context);
    super(database.reader, toStatements(context, aid), toAids(database.reader, aid));
    this.#aid = aid;
    const { isDurable, isShared, locksRows = false } = database.profile;
    this.capabilities = { isDurable, isShared, hasHandle: true, ...(locksRows && { runsSideBySide: true }) };
    this.signals = database.signals;
    this.#database = database;
    this.#tables = tables;
    this.#names = names;
  }

  async open(tables: readonly Table[], runtime?: Runtime): Promise<void> {
    this.#database.runtime.adopt(runtime);
    for (const table of tables) this.#tables.set(table.name, table);
    await migrate(this.#database, tables, this.#names);
    await this.#database.rebuildTables?.(tables);
  }

  transaction<T>(work: (tx: Transaction<Native>) => Promise<T>, options?: TransactionOptions): Promise<T> {
    const toTransaction = (tx: SqlTransaction<Native>): SqlStorageTransaction<Native> =>
      new SqlStorageTransaction(tx, this.#database, this.statements);
    return withReferences(
      this.#database,
      this.#database.transaction((tx) => toTransaction(tx).run(work), options),
    );
  }

  override async find(...call: Parameters<StorageReader["find"]>): Promise<readonly StoredRecord[]> {
    const [, table, filter, options] = call;
    const find = (reader: SqlReader): Found => reader.find(...call);
    const findHere = (): Found => super.find(...call);
    if (options?.mayUseReplica && this.#database.replicas !== undefined) return this.#readReplica(find, findHere);
    return this.#isShort(table, isShortFind(filter, options)) ? findHere() : this.#readBeside(find);
  }

  override async findIds(...call: Parameters<StorageReader["findIds"]>): Promise<readonly string[]> {
    const [, table, , filter] = call;
    if (this.#isShort(table, isShortFind(filter))) return super.findIds(...call);
    return this.#readBeside((reader) => reader.findIds(...call));
  }

  override async search(scope: TenantScope, table: Table, criteria: Criteria): Promise<SearchPage> {
    const search = (reader: SqlReader): Promise<SearchPage> => reader.search(scope, table, criteria);
    const searchHere = (): Promise<SearchPage> => super.search(scope, table, criteria);
    if (criteria.mayUseReplica && this.#database.replicas !== undefined) return this.#readReplica(search, searchHere);
    return this.#isShort(table, isLookup(table, criteria.filter)) ? searchHere() : this.#readBeside(search);
  }

  snapshot<T>(work: (reader: StorageReader) => Promise<T>): Promise<T> {
    return this.#database.snapshot((connection) => work(new SqlReader(connection, this.statements)));
  }

  async planIndexes(
    searches: Iterable<IndexedSearch> | AsyncIterable<IndexedSearch>,
    options: IndexPlanOptions = {},
  ): Promise<readonly IndexPlan[]> {
    const aid = this.#aid;
    if (aid === undefined) return [];
    const facts = aid.orders.readFacts(options);
    const planned = new Map<string, IndexPlan>();
    for await (const { criteria, scope, table } of searches)
      for (const one of await planSearch(aid, { ...criteria, scope, table }, facts)) planned.set(one.name, one);
    return [...planned.values(), ...(await aid.orders.planDrops(facts))];
  }

  async readIndexProgress(): Promise<readonly IndexProgress[]> {
    return (await this.#aid?.readProgress()) ?? [];
  }

  readReplicaOutcomes(): Readonly<Record<string, number>> | undefined {
    return this.#database.replicas?.outcomes;
  }

  async ping(): Promise<void> {
    await this.connection.all("select 1", []);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #isShort(table: Table, isShort: boolean): boolean {
    return isShort || this.#database.longReads?.isLarge(toSqlTable(this.#names, table.name)) !== true;
  }

  #readBeside<T>(work: (reader: SqlReader) => Promise<T>): Promise<T> {
    return (this.#database.longReads as LongReads).run((connection) => work(this.#readerOn(connection)));
  }

  #readReplica<T>(work: (reader: SqlReader) => Promise<T>, readPrimary: () => Promise<T>): Promise<T> {
    return (this.#database.replicas as ReplicaReads).read((connection) => work(this.#readerOn(connection)), readPrimary);
  }

  // Reused, since its cached totals help the next search on the same connection.
  #readerOn(connection: SqlConnection): SqlReader {
    const known = this.#longReaders.get(connection) ?? new SqlReader(connection, this.statements, toAids(connection, this.#aid));
    this.#longReaders.set(connection, known);
    return known;
  }
}

function toStatements(context: ConstructorParameters<typeof Statements>[0], aid: SearchIndex | undefined): Statements {
  const plain = new Statements(context);
  if (aid === undefined) return plain;
  const withObjects: typeof context = {
    ...context,
    listsOf: (...list) => aid.lists.idsOf(...list),
    hasTenantIndex: (...member) => aid.orders.hasTenantIndex(...member),
  };
  const { isMissingTable } = context.profile;
  return new Statements(withObjects, { statements: plain, isMissingTable, forgetObjects: () => aid.orders.forgetObjects() });
}

async function planSearch(aid: SearchIndex, search: SearchShape, facts: TableState): Promise<readonly IndexPlan[]> {
  const orders = await aid.orders.plan(search, facts);
  const lists = await aid.lists.plan(search, facts);
  const counts = await aid.counts.plan(search, facts);
  const texts = (await facts.isLarge(search.table)) ? await aid.planTexts?.(search.table, search.filter) : undefined;
  return [...orders, ...lists, ...counts, ...(texts ?? [])];
}

function toAids(reader: SqlConnection, aid: SearchIndex | undefined): Pick<SearchContext, "aid" | "totals"> {
  return aid === undefined ? {} : { aid, totals: new Totals(reader, aid) };
}
