import type {
  Criteria,
  FindOptions,
  PositionRange,
  RecordRead,
  SearchPage,
  StorageReader,
  StoredRecord,
  Table,
  TenantScope,
} from "latchkey/ports";
import { type SearchContext, searchPage } from "./search/search-page.js";
import type { Query } from "./sql/fragment.js";
import { readWithin, type SqlConnection, type SqlRow } from "./sql/sql-connection.js";
import { toStoredRecord } from "./sql/table-sql.js";
import type { Statements } from "./statements.js";

/** Reads records, inside and outside of transactions. */
export class SqlReader implements StorageReader {
  protected readonly connection: SqlConnection;
  protected readonly statements: Statements;
  readonly #aids: Pick<SearchContext, "aid" | "totals">;

  constructor(connection: SqlConnection, statements: Statements, aids: Pick<SearchContext, "aid" | "totals"> = {}) {
    this.connection = connection;
    this.statements = statements;
    this.#aids = aids;
  }

  async retrieve(scope: TenantScope, table: Table, id: string): Promise<StoredRecord | undefined> {
    const texts = this.statements.fixed(table);
    const isBound = scope.kind === "tenant";
    const found = this.connection.first(isBound ? texts.retrieveInTenant : texts.retrieve, isBound ? [id, scope.tenantId] : [id]);
    // Skips the await for synchronous drivers: this is the most frequent read.
    const row = found instanceof Promise ? await found : found;
    return row && toStoredRecord(row);
  }

  async find(...call: Parameters<StorageReader["find"]>): Promise<readonly StoredRecord[]> {
    try {
      const [scope, table, filter, options] = call;
      return await this.#find({ scope, table, filter }, options);
    } catch (error) {
      return this.withoutObjects(error).find(...call);
    }
  }

  async #find(read: RecordRead, options?: FindOptions): Promise<readonly StoredRecord[]> {
    const { after, limit = Number.POSITIVE_INFINITY, sizeLimit, sort } = options ?? {};
    if (sizeLimit === undefined || limit <= sizeLimit.unmeasured)
      return (await this.#all(this.statements.find(read, options))).map(toStoredRecord);
    // A page is seldom short.
    if (after !== undefined) {
      const page = this.statements.find(read, options);
      return (await readWithin(this.connection, page, sizeLimit)).map(toStoredRecord);
    }
    if (sort === undefined && limit === Number.POSITIVE_INFINITY) {
      const [found = []] = await this.findEach([{ ...read, sizeLimit }]);
      return found;
    }
    // Most lists are short: the first records show whether this one is.
    const most = sizeLimit.unmeasured;
    const rows = await this.#all(this.statements.find(read, { ...options, limit: most + 1 }));
    if (rows.length <= most) return rows.map(toStoredRecord);
    const all = this.statements.find(read, options);
    return (await readWithin(this.connection, all, sizeLimit)).map(toStoredRecord);
  }

  async findEach(reads: readonly RecordRead[]): Promise<readonly (readonly StoredRecord[])[]> {
    if (reads.length === 0) return [];
    try {
      return await this.#findEach(reads);
    } catch (error) {
      return this.withoutObjects(error).findEach(reads);
    }
  }

  async #findEach(reads: readonly RecordRead[]): Promise<readonly (readonly StoredRecord[])[]> {
    const rows = Map.groupBy(await this.#all(this.statements.findEach(reads)), ({ part }) => Number(part));
    const found: (readonly StoredRecord[])[] = [];
    for (const [part, read] of reads.entries()) {
      const { sizeLimit } = read;
      const first = rows.get(part) ?? [];
      const isLong = sizeLimit !== undefined && first.length > sizeLimit.unmeasured;
      const all = isLong && (await readWithin(this.connection, this.statements.find(read), sizeLimit));
      // Sorting a few here is faster than in the database.
      found.push(all ? all.map(toStoredRecord) : first.map(toStoredRecord).sort((a, b) => (a.id < b.id ? -1 : 1)));
    }
    return found;
  }

  #all({ parameters, sql }: Query): readonly SqlRow[] | Promise<readonly SqlRow[]> {
    return this.connection.all(sql, parameters);
  }

  async findIds(...call: Parameters<StorageReader["findIds"]>): Promise<readonly string[]> {
    try {
      const [scope, table, column, filter] = call;
      const query = this.statements.findIds({ scope, table, filter }, column);
      return (await this.connection.column(query.sql, query.parameters)) as readonly string[];
    } catch (error) {
      return this.withoutObjects(error).findIds(...call);
    }
  }

  async findPositions(table: Table): Promise<readonly PositionRange[]> {
    const query = this.statements.findPositions(table);
    const rows = await this.connection.all(query.sql, query.parameters);
    return rows.map(({ lowest, highest }) => [Number(lowest), Number(highest)] as const);
  }

  async search(scope: TenantScope, table: Table, criteria: Criteria): Promise<SearchPage> {
    const { connection, statements } = this;
    try {
      return await searchPage({ connection, statements: statements.searches, ...this.#aids }, { scope, table, criteria });
    } catch (error) {
      return this.withoutObjects(error).search(scope, table, criteria);
    }
  }

  /** A reader that uses only the tables, after an error about a missing table. @throws any other error */
  protected withoutObjects(error: unknown): SqlReader {
    const { plain } = this.statements;
    if (plain === undefined || !plain.isMissingTable(error)) throw error;
    plain.forgetObjects();
    return new SqlReader(this.connection, plain.statements);
  }
}
