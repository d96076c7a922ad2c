import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { type PostgresStorageOptions, pgClientOf, postgresStorage } from "latchkey/postgres";
import type { Storage, Transaction } from "latchkey/storage";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";

/** The real server to test on, if there is one. */
export const postgresUrl: string | undefined = process.env.TEST_POSTGRES_URL;

/** A database for the tests of one file. */
export interface TestDatabase {
  /** A storage in a schema of its own, which is removed when the file ends. */
  readonly newStorage: (options?: Partial<PostgresStorageOptions>) => Storage<Kysely<unknown>>;
  /** The name of a schema that is removed when the file ends. */
  readonly newSchema: () => string;
  /** A pool on the database, for what the tests look at themselves. */
  readonly pool: () => pg.Pool;
}

/** The connection of a transaction. */
export function clientOf(tx: Transaction<Kysely<unknown>>): pg.PoolClient {
  return pgClientOf<pg.PoolClient>(tx.native);
}

/** The real server, or an embedded one where there is none. It lives as long as the test file. */
export function testDatabase(): TestDatabase {
  let pool: pg.Pool | undefined;
  let end = async (): Promise<void> => undefined;
  const schemas: string[] = [];
  beforeAll(async () => {
    if (postgresUrl !== undefined) pool = new pg.Pool({ connectionString: postgresUrl, max: 4 });
    else ({ pool, end } = await startEmbedded());
  });
  afterAll(async () => {
    for (const schema of schemas) await pool?.query(`drop schema if exists "${schema}" cascade`);
    await pool?.end();
    await end();
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

// It has one session, whatever connections it is asked for, so the pool has one connection.
async function startEmbedded(): Promise<{ readonly pool: pg.Pool; readonly end: () => Promise<void> }> {
  const { PGlite } = await import("@electric-sql/pglite");
  const { PGLiteSocketServer } = await import("@electric-sql/pglite-socket");
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, port: 0, maxConnections: 10 });
  await server.start();
  const [host, port] = server.getServerConn().split(":");
  const pool = new pg.Pool({ host, port: Number(port), user: "postgres", database: "postgres", max: 1, idleTimeoutMillis: 0 });
  // What an earlier connection prepared is still there.
  pool.on("connect", (client) => void client.query("deallocate all"));
  return {
    pool,
    end: async () => {
      await server.stop();
      await db.close();
    },
  };
}
