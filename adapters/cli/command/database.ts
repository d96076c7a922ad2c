import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { schemaHistory } from "latchkey";
import { loadPackage, nodeRuntime } from "latchkey/ports";
import { pause } from "../../internal/async.js";
import { toSqlName } from "../../kysely/sql/table-sql.js";
import { explainConnection } from "../../postgres/connections/pg-types.js";
import { type ReplicaState, readPosition, readState } from "../../postgres/replicas/replica-state.js";
import { explainOpenErrors } from "../../sqlite/database-file.js";
import { UsageError } from "./command.js";

/** The state of a database, read without opening a service. */
export interface DatabaseState {
  readonly kind: "memory" | "sqlite" | "postgres";
  /** The version of its schema; 0 without one. */
  readonly version: number;
  /** How many tables have the layout of an earlier release, which is slow with long records; `latchkey migrate` rebuilds them. */
  readonly oldTables: number;
  /** How far the database's clock is ahead of this machine's, in milliseconds; undefined for databases without a clock. */
  readonly clockAheadMs: number | undefined;
}

/** The schema version of this release. */
export function newestSchema(): number {
  return schemaHistory().at(-1)?.version ?? 0;
}

/** The file of a `sqlite:` URL; undefined for others. */
export function sqliteFile(url: string): string | undefined {
  return url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
}

/** The kind of database of a URL. @throws UsageError for an unknown kind. */
export function kindOf(url: string): DatabaseState["kind"] {
  if (url === "memory:") return "memory";
  if (/^sqlite:./.test(url)) return "sqlite";
  if (/^postgres(ql)?:/.test(url)) return "postgres";
  // Do not repeat an invalid URL, which may hold a password.
  const scheme = /^[a-z][a-z\d+.-]*:/.exec(url)?.[0];
  throw new UsageError(
    `The database must be memory:, sqlite:FILE or postgres://…${scheme === undefined ? "" : `, not ${scheme}…`}. Correct --database or DATABASE_URL.`,
  );
}

/** Reads the state of a database and changes nothing. @throws Error with the reason and the remedy when it is unreachable. */
export async function readDatabase(url: string): Promise<DatabaseState> {
  const kind = kindOf(url);
  if (kind === "memory") return { kind, version: newestSchema(), oldTables: 0, clockAheadMs: undefined };
  if (kind === "postgres") return readPostgres(url);
  const file = url.slice("sqlite:".length);
  return { kind, ...readFile(file), clockAheadMs: undefined };
}

function readFile(file: string): ReturnType<typeof readSqlite> {
  try {
    return explainOpenErrors(file, () => readSqlite(file));
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

function readSqlite(file: string): Pick<DatabaseState, "version" | "oldTables"> {
  if (!existsSync(dirname(resolve(file)))) throw new Error("There is no folder.");
  if (!existsSync(file)) return { version: 0, oldTables: 0 };
  return withSqlite(file, (database) => {
    const known = database.prepare("select name from sqlite_master where name = 'latchkey_schema_versions'").get();
    if (known === undefined) return { version: 0, oldTables: 0 };
    const { version } = database.prepare("select max(version) as version from latchkey_schema_versions").get();
    return { version: Number(version ?? 0), oldTables: Number(database.prepare(countOldTables).get().n) };
  });
}

function withSqlite<T>(file: string, work: (database: InstanceType<Driver>) => T): T {
  const Driver = loadPeer("better-sqlite3");
  const database = new Driver(file, { readonly: true, fileMustExist: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

// Tables of records have a column `json`. Those of search objects have short rows and keep their layout.
const countOldTables = `select count(*) as n from sqlite_master
  where type = 'table' and name like 'latchkey@_%' escape '@' and sql like '%json%) without rowid'`;

function readPostgres(connectionString: string): Promise<DatabaseState> {
  return withPostgres(connectionString, async (client) => {
    const { rows } = await client.query(
      "select to_regclass('latchkey_schema_versions') is not null as known, extract(epoch from clock_timestamp()) * 1000 as now",
    );
    const [{ known = false, now = 0 } = {}] = rows;
    const clockAheadMs = Math.round(Number(now) - Date.now());
    if (!known) return { kind: "postgres", version: 0, oldTables: 0, clockAheadMs };
    const found = await client.query("select max(version) as version from latchkey_schema_versions");
    return { kind: "postgres", version: Number(found.rows[0]?.version ?? 0), oldTables: 0, clockAheadMs };
  });
}

async function withPostgres<T>(connectionString: string, work: (client: PostgresClient) => Promise<T>): Promise<T> {
  const { Client } = loadPeer("pg");
  let client: PostgresClient;
  try {
    client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
    await client.connect();
  } catch (cause) {
    throw new UsageError(`The database cannot be reached: ${explainConnection(cause, "the URL")}`, { cause });
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Checks the replication of a standby for reads: waits up to a second for the primary's position. */
export async function readReplica(primary: string, replica: string): Promise<ReplicaState> {
  const position = await withPostgres(primary, (client) => readPosition(({ text }) => client.query(text)));
  return withPostgres(replica, async (client) => {
    for (let tries = 1; ; tries++) {
      const state = await readState(({ text, values }) => client.query(text, values), position, replicaWaitMs);
      if (state !== "behind" || tries === replicaTries) return state;
      await pause(nodeRuntime.timers, replicaWaitMs / replicaTries);
    }
  });
}

const replicaWaitMs = 1_000;
const replicaTries = 20;

/** The number of rows of a table: counted on SQLite, estimated on Postgres; 0 for an unknown table. */
export async function countRows(url: string, table: string): Promise<number> {
  const name = `latchkey_${toSqlName(table)}`;
  const file = sqliteFile(url);
  if (file !== undefined) {
    const count = (database: InstanceType<Driver>): number =>
      Number(database.prepare(`select count(*) as n from "${name}"`).get().n);
    return withSqlite(file, count);
  }
  const estimate = "select greatest(reltuples, 0) as n from pg_class where oid = to_regclass($1)";
  return withPostgres(url, async (client) => Number((await client.query(estimate, [name])).rows[0]?.n ?? 0));
}

/** The part of the drivers that is used. */
interface Driver {
  new (
    ...options: readonly unknown[]
  ): {
    prepare(text: string): { get(): { readonly version?: unknown; readonly n?: unknown } };
    close(): void;
  };
  readonly Client: new (options: object) => PostgresClient;
}

interface PostgresClient {
  connect(): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly PostgresRow[] }>;
  end(): Promise<void>;
}

type PostgresRow = Readonly<Record<string, unknown>>;

/** Loads an optional package. @throws UsageError that names the package to install. */
export function loadPeer(name: string): Driver {
  try {
    return loadPackage(import.meta.url, name, "This command");
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}
