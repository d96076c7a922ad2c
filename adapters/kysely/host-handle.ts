import type { CompiledQuery, DatabaseConnection, Dialect, Driver, Kysely, QueryResult } from "kysely";
import { loadPackage } from "latchkey/ports";

type Library = typeof import("kysely");

/** A Kysely dialect without its driver. */
export type HostDialect = Omit<Dialect, "createDriver">;

/** Runs a statement of the host in a transaction. Rejects after the end of the transaction. */
export type RunHostQuery = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

/**
 * The host's Kysely on a transaction in progress: its statements commit or roll back with the service's. Loads the host's own
 * copy of the package at first use.
 * @throws Error when `kysely` is not installed.
 */
export function createHostHandle<Database>(toDialect: (library: Library) => HostDialect, run: RunHostQuery): Kysely<Database> {
  const library = loadPackage<Library>(import.meta.url, "kysely", "The database handle of a transaction");
  return new library.Kysely<Database>({ dialect: { ...toDialect(library), createDriver: () => new HostDriver(run) } });
}

class HostDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(run: RunHostQuery) {
    this.#connection = new HostConnection(run);
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
  beginTransaction(): Promise<void> {
    return Promise.reject(new Error("This handle is inside a transaction already."));
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
}

class HostConnection implements DatabaseConnection {
  readonly #run: RunHostQuery;

  constructor(run: RunHostQuery) {
    this.#run = run;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, ...counts } = await this.#run(query);
    return { rows: rows as Row[], ...counts };
  }

  // biome-ignore lint/correctness/useYield: A transaction answers whole results, so there is nothing to stream.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Streaming is not supported on this handle.");
  }
}
