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
} from "latchkey/storage";
import { type SearchContext, searchPage } from "./search/search-page.js";
import type { SqlConnection } from "./sql-connection.js";
import { readWithin } from "./sql-connection.js";
import type { Statements } from "./statements.js";
import { toStoredRecord } from "./table-sql.js";

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
    const { limit = Number.POSITIVE_INFINITY, sizeLimit } = options ?? {};
    const most = sizeLimit !== undefined && limit > sizeLimit.unmeasured ? sizeLimit.unmeasured : undefined;
    // Most lists are short: whether this one is shows with its first records.
    const first = most === undefined ? options : { ...options, limit: most + 1 };
    const query = this.statements.find(scope, table, filter, first);
    const rows = await this.connection.all(query.sql, query.parameters);
    if (sizeLimit === undefined || most === undefined || rows.length <= most) return rows.map(toStoredRecord);
    const all = this.statements.find(scope, table, filter, options);
    return (await readWithin(this.connection, all, sizeLimit)).map(toStoredRecord);
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
