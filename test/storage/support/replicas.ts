import { globalScope, type Storage } from "latchkey/ports";
import { type PostgresStorageOptions, postgresStorage } from "latchkey/postgres";
import { afterAll, beforeAll, expect, onTestFinished, vi } from "vitest";
import { labelsOf } from "../../contract/storage/kit.js";
import { books, tables } from "../../contract/storage/tables.js";
import { PostgresServers, type Server, urlOf } from "../../crash/topology/postgres-servers.js";

/** How long servers may take to start. */
export const startMs = 60_000;
/** For what servers do beside the tests. */
export const patience = { timeout: 60_000, interval: 10 };

/** Servers for the tests that are declared after it. */
export function startServers(names: readonly string[]): () => PostgresServers {
  let servers: PostgresServers | undefined;
  beforeAll(async () => {
    servers = await PostgresServers.start(names);
  }, startMs);
  afterAll(() => servers?.remove());
  return () => servers as PostgresServers;
}

let schemas = 0;

/** The name of a schema that nobody else uses on these servers. */
export function newSchema(): string {
  return `test_${++schemas}`;
}

/** A storage on a server, in a schema of its own unless it is named. */
export async function openOn(server: Server, options: Partial<PostgresStorageOptions>): Promise<Storage> {
  const schema = options.schema ?? newSchema();
  const storage = postgresStorage({ connectionString: urlOf(server), ...options, schema });
  onTestFinished(() => storage.close());
  await storage.open(tables);
  return storage;
}

/** As lists of the API read. */
export const listed = { mayUseReplica: true, sort: [{ column: "title", direction: "asc" }] } as const;

/** The labels of all books, as lists of the API read them. */
export async function list(storage: Storage): Promise<readonly string[]> {
  return labelsOf(await storage.find(globalScope, books, undefined, listed));
}

/** How many reads had which outcome. */
export function outcomesOf(storage: Storage): Readonly<Record<string, number>> {
  return { ...storage.readReplicaOutcomes?.() };
}

/** How many reads had which outcome while something was done, but for those that no read had. */
export async function outcomesDuring(storage: Storage, work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const before = outcomesOf(storage);
  await work();
  const differences = Object.entries(outcomesOf(storage)).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(differences.filter(([, count]) => count > 0));
}

/** Waits until the replica serves a read. */
export async function untilServed(storage: Storage, read: () => Promise<unknown> = () => list(storage)): Promise<void> {
  await vi.waitFor(async () => expect(await outcomesDuring(storage, read)).toEqual({ served: 1 }), patience);
}
