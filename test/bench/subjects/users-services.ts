/** Our side and the one by hand, on the database that the environment names, empty or as the last import left them. */

import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import express from "express";
import { createIdentityService, type IdentityService } from "latchkey";
import { identityRouter } from "latchkey/express";
import pg from "pg";
import { apiKey } from "../harness/fixtures.ts";
import { listen } from "../harness/listen.ts";
import { settings } from "../harness/subject.ts";
import { applicationId } from "../harness/users-data.ts";
import type { HandUsers } from "../yardsticks/users-by-hand.ts";

const file = join(settings.directory, "users.db");
const schema = "bench_users";

const connectionString = (): string => {
  if (settings.postgresUrl === undefined) throw new Error("TEST_POSTGRES_URL must name a database");
  return settings.postgresUrl;
};

const isPostgres = settings.storage === "postgres";

export const openByHand = async (): Promise<HandUsers> => {
  if (isPostgres) return (await import("../yardsticks/users-postgres.ts")).openHandPostgres(connectionString());
  return (await import("../yardsticks/users-sqlite.ts")).openHandSqlite(join(settings.directory, "users-by-hand.db"));
};

const openStorage = async () => {
  if (!isPostgres) return (await import("latchkey/sqlite")).sqliteStorage({ filename: file });
  const { postgresStorage } = await import("latchkey/postgres");
  return postgresStorage({ connectionString: connectionString(), schema, statementTimeoutMs: 300_000 });
};

const clear = async (): Promise<void> => {
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  if (!isPostgres) return;
  const client = new pg.Client({ connectionString: connectionString() });
  await client.connect();
  await client.query(`drop schema if exists ${schema} cascade`);
  await client.end();
};

/** A service, and where it listens. */
export interface OpenService {
  readonly identity: IdentityService;
  readonly url: string;
  close(): Promise<void>;
}

const open = async (): Promise<OpenService> => {
  const storage = (await openStorage()) as Parameters<typeof createIdentityService>[0]["storage"];
  const identity = await createIdentityService({ storage, secret: "a-benchmark-secret-of-at-least-32-characters", apiKey });
  const server = createServer(express().use(identityRouter(identity)));
  const url = `http://127.0.0.1:${await listen(server)}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await identity.close();
  };
  return { identity, url, close };
};

/** A service without users, with the application that they will be registered to. */
export const openEmpty = async (): Promise<OpenService> => {
  await clear();
  const service = await open();
  await service.identity.applications.create({ applicationId, application: { name: "Shop", roles: [{ name: "buyer" }] } });
  return service;
};
