import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Storage, Transaction } from "latchkey/ports";
import { type PostgresStorageOptions, pgClientOf, postgresStorage } from "latchkey/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, test } from "vitest";
import { isLong } from "./properties.js";

/** The real server, if any. */
export const postgresUrl: string | undefined = process.env.TEST_POSTGRES_URL;

/**
 * Whether tests other than the storage contract run on Postgres: with a real server, or in full runs, because an embedded one
 * starts slowly.
 */
export const hasPostgres: boolean = isLong || postgresUrl !== undefined;

/** Declares a test that needs more than one session, so it runs only with a real server. */
export const testOnServer: (name: string, run: () => Promise<void>) => void =
  postgresUrl === undefined ? () => undefined : (name, run) => test(name, run);

/** The same for a group of tests. */
export const describeOnServer: (name: string, declare: () => void) => void =
  postgresUrl === undefined ? () => undefined : (name, declare) => describe(name, declare);

/** A database for the tests of one file. */
export interface TestDatabase {
  /** A storage in its own schema, which is removed after the file. */
  readonly newStorage: (options?: Partial<PostgresStorageOptions>) => Storage<Kysely<unknown>>;
  /** The name of a schema that is removed after the file. */
  readonly newSchema: () => string;
  /** A pool on the database, for direct queries of the tests. */
  readonly pool: () => pg.Pool;
}

/** The connection of a transaction. */
export function clientOf(tx: Transaction<Kysely<unknown>>): pg.PoolClient {
  return pgClientOf<pg.PoolClient>(tx.native);
}

/**
 * The real server, or else an embedded one, with schemas that last as long as the test file. Starts nothing if `isWanted` is
 * false: pass `hasPostgres` for tests that only full runs declare.
 */
export function testDatabase(isWanted = true): TestDatabase {
  let pool: pg.Pool | undefined;
  const schemas: string[] = [];
  beforeAll(async () => {
    if (isWanted) pool = await connect();
  });
  afterAll(async () => {
    for (const schema of schemas) await pool?.query(`drop schema if exists "${schema}" cascade`);
  });
  const newSchema = (): string => {
    const schema = `test_${randomUUID().replaceAll("-", "")}`;
    schemas.push(schema);
    return schema;
  };
  const givenPool = (): pg.Pool => pool as pg.Pool;
  const place = (): PostgresStorageOptions =>
    postgresUrl === undefined ? { pool: givenPool() } : { connectionString: postgresUrl };
  const newStorage: TestDatabase["newStorage"] = (options) =>
    postgresStorage({ schema: newSchema(), ...(options?.pool === undefined && place()), ...options });
  return { newSchema, pool: givenPool, newStorage };
}

let connected: Promise<pg.Pool> | undefined;

// All test files of a process share a server, because starting one takes longer than most tests.
function connect(): Promise<pg.Pool> {
  connected ??=
    postgresUrl === undefined ? startEmbedded() : Promise.resolve(new pg.Pool({ connectionString: postgresUrl, max: 4 }));
  return connected;
}

// It has only one session, so the pool has one connection.
async function startEmbedded(): Promise<pg.Pool> {
  const { PGlite } = await import("@electric-sql/pglite");
  const { PGLiteSocketServer } = await import("@electric-sql/pglite-socket");
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, port: 0, maxConnections: 10 });
  await server.start();
  const [host, port] = server.getServerConn().split(":");
  const pool = new pg.Pool({ host, port: Number(port), user: "postgres", database: "postgres", max: 1, idleTimeoutMillis: 0 });
  // Prepared statements of an earlier connection still exist.
  pool.on("connect", (client) => void client.query("deallocate all"));
  return pool;
}
