import type {
  Criteria,
  Filter,
  FindOptions,
  PositionRange,
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

/** Reads records, inside of transactions and outside. */
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
    // A driver that answers at once is not waited for: this is the read that matters most.
    const row = found instanceof Promise ? await found : found;
    return row && toStoredRecord(row);
  }

  async find(
    scope: TenantScope,
    table: Table,
    filter: Filter | undefined,
    options?: FindOptions,
  ): Promise<readonly StoredRecord[]> {
    const { after, limit = Number.POSITIVE_INFINITY, sizeLimit, sort } = options ?? {};
    if (sizeLimit === undefined || limit <= sizeLimit.unmeasured)
      return (await this.#all(this.statements.find(scope, table, filter, options))).map(toStoredRecord);
    // A page is seldom short.
    if (after !== undefined) {
      const page = this.statements.find(scope, table, filter, options);
      return (await readWithin(this.connection, page, sizeLimit)).map(toStoredRecord);
    }
    // Most lists are short: whether this one is shows with its first records. A database takes longer to sort them than we do.
    const most = sizeLimit.unmeasured;
    const isById = sort === undefined && limit === Number.POSITIVE_INFINITY;
    const first = isById
      ? this.statements.findAny(scope, table, filter, most + 1)
      : this.statements.find(scope, table, filter, { ...options, limit: most + 1 });
    const rows = await this.#all(first);
    if (rows.length > most) {
      const all = this.statements.find(scope, table, filter, options);
      return (await readWithin(this.connection, all, sizeLimit)).map(toStoredRecord);
    }
    const records = rows.map(toStoredRecord);
    return isById ? records.sort((a, b) => (a.id < b.id ? -1 : 1)) : records;
  }

  #all({ parameters, sql }: Query): readonly SqlRow[] | Promise<readonly SqlRow[]> {
    return this.connection.all(sql, parameters);
  }

  async findIds(scope: TenantScope, table: Table, column: string, filter: Filter | undefined): Promise<readonly string[]> {
    const query = this.statements.findIds(scope, table, column, filter);
    return (await this.connection.column(query.sql, query.parameters)) as readonly string[];
  }

  async findPositions(table: Table): Promise<readonly PositionRange[]> {
    const query = this.statements.findPositions(table);
    const rows = await this.connection.all(query.sql, query.parameters);
    return rows.map(({ lowest, highest }) => [Number(lowest), Number(highest)] as const);
  }

  async search(scope: TenantScope, table: Table, criteria: Criteria): Promise<SearchPage> {
    const { connection, statements } = this;
    return searchPage({ connection, statements: statements.searches, ...this.#aids }, scope, table, criteria);
  }
}
