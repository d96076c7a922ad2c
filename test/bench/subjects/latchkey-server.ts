/** Our side: the built package, mounted in the framework and on the storage that the environment names. */
import { createServer } from "node:http";
import { join } from "node:path";
import { createIdentityService } from "latchkey";
import { issueToken } from "../harness/clients.ts";
import { apiKey, groupData, groupName } from "../harness/fixtures.ts";
import { listen } from "../harness/listen.ts";
import { announceReady, settings } from "../harness/subject.ts";

type Storage = Parameters<typeof createIdentityService>[0]["storage"];
type IdentityService = Awaited<ReturnType<typeof createIdentityService>>;

const chunk = 1_000;

// In a schema that is new with each start.
async function openPostgres(): Promise<Storage> {
  const { default: pg } = await import("pg");
  const { postgresStorage } = await import("latchkey/postgres");
  const { postgresUrl } = settings;
  if (postgresUrl === undefined) throw new Error("TEST_POSTGRES_URL must name a server.");
  const pool = new pg.Pool({ connectionString: postgresUrl });
  await pool.query("drop schema if exists bench_latchkey cascade");
  await pool.end();
  return postgresStorage({ connectionString: postgresUrl, schema: "bench_latchkey" });
}

const storages: Readonly<Record<string, () => Promise<Storage>>> = {
  sqlite: async () => (await import("latchkey/sqlite")).sqliteStorage({ filename: join(settings.directory, "latchkey.db") }),
  postgres: openPostgres,
  memory: async () => (await import("latchkey/memory")).memoryStorage(),
};

const seedGroups = async (identity: IdentityService): Promise<string[]> => {
  const ids: string[] = [];
  for (let start = 0; start < settings.groups; start += chunk) {
    const end = Math.min(start + chunk, settings.groups);
    await identity.transaction(async (tx) => {
      for (let index = start; index < end; index++) {
        const { group } = await tx.groups.create({ group: { name: groupName(index), data: groupData } });
        ids.push(group.id);
      }
    });
  }
  return ids;
};

const startFastify = async (identity: IdentityService): Promise<number> => {
  const { fastify } = await import("fastify");
  const { identityPlugin } = await import("latchkey/fastify");
  const app = fastify();
  app.register(identityPlugin(identity));
  return Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
};

const startExpress = async (identity: IdentityService): Promise<number> => {
  const { default: express } = await import("express");
  const { identityRouter } = await import("latchkey/express");
  return listen(createServer(express().use(identityRouter(identity))));
};

const startKoa = async (identity: IdentityService): Promise<number> => {
  const { default: Koa } = await import("koa");
  const { identityMiddleware } = await import("latchkey/koa");
  return listen(createServer(new Koa().use(identityMiddleware(identity)).callback()));
};

const frameworks: Readonly<Record<string, (identity: IdentityService) => Promise<number>>> = {
  fastify: startFastify,
  express: startExpress,
  koa: startKoa,
};

const openStorage = storages[settings.storage];
const start = frameworks[settings.framework];
if (openStorage === undefined) throw new Error(`BENCH_STORAGE is one of ${Object.keys(storages).join(", ")}`);
if (start === undefined) throw new Error(`BENCH_FRAMEWORK is one of ${Object.keys(frameworks).join(", ")}`);

const secret = "a-benchmark-secret-of-at-least-32-characters";
const identity = await createIdentityService({ storage: await openStorage(), secret, apiKey });
const ids = await seedGroups(identity);
const credential = process.env.BENCH_CREDENTIAL === "token" ? `Bearer ${await issueToken(identity)}` : apiKey;
announceReady({ port: await start(identity), ids, credential });
