import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { startServer } from "./running-server.ts";

/** The storages that can be under the soak. */
export const storages = ["sqlite", "postgres", "memory"] as const;
export type StorageName = (typeof storages)[number];

/** Where a filled storage is, and how many records the service has to fill it with first. */
export interface Place {
  readonly url: string;
  readonly fill?: number;
}

// Filled once; each run has a copy of its own.
const folder = fileURLToPath(new URL("../.data", import.meta.url));

/** A storage with so many records: filled now, or a copy of what an earlier run filled. */
export async function openPlace(storage: StorageName, records: number): Promise<Place> {
  if (storage === "memory") return { url: "memory:", fill: records };
  return storage === "sqlite" ? copyOfFile(records) : copyOfDatabase(records);
}

async function copyOfFile(records: number): Promise<Place> {
  mkdirSync(folder, { recursive: true });
  const filled = join(folder, `bodies-${records}.db`);
  if (!existsSync(filled)) {
    const unfinished = `${filled}.unfinished.db`;
    for (const end of ["", "-wal", "-shm"]) rmSync(unfinished + end, { force: true });
    await fillPlace({ url: `sqlite:${unfinished}`, fill: records });
    renameSync(unfinished, filled);
  }
  const copy = join(folder, "bodies.db");
  for (const end of ["-wal", "-shm"]) rmSync(copy + end, { force: true });
  copyFileSync(filled, copy);
  return { url: `sqlite:${copy}` };
}

async function copyOfDatabase(records: number): Promise<Place> {
  const given = process.env.TEST_POSTGRES_URL;
  if (given === undefined) throw new Error("Set TEST_POSTGRES_URL to a database of a server on which databases can be made.");
  const filled = `latchkey_bodies_${records}`;
  const urlOf = (database: string): string => Object.assign(new URL(given), { pathname: `/${database}` }).href;
  const client = new Client({ connectionString: given });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [filled]);
    if (rowCount === 0) {
      await client.query("drop database if exists latchkey_bodies_unfinished");
      await client.query("create database latchkey_bodies_unfinished");
      await fillPlace({ url: urlOf("latchkey_bodies_unfinished"), fill: records });
      await client.query(`alter database latchkey_bodies_unfinished rename to ${filled}`);
    }
    await client.query("drop database if exists latchkey_bodies with (force)");
    await client.query(`create database latchkey_bodies template ${filled}`);
  } finally {
    await client.end();
  }
  return { url: urlOf("latchkey_bodies") };
}

async function fillPlace(place: Place): Promise<void> {
  const server = await startServer(place);
  await server.stop();
}
