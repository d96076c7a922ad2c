/** Our side on Postgres: as many processes as `BENCH_PROCESSES` says, on one database and one port. */
import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import { createIdentityService } from "latchkey";
import { nodeHandler } from "latchkey/node";
import { postgresStorage } from "latchkey/postgres";
import pg from "pg";
import { apiKey, groupData, groupName } from "../harness/fixtures.ts";
import { announceReady, settings } from "../harness/subject.ts";

const processes = Number(process.env.BENCH_PROCESSES ?? 1);
const schema = `bench_processes_${processes}`;
const { postgresUrl: connectionString } = settings;
if (connectionString === undefined) throw new Error("TEST_POSTGRES_URL must name a server.");

const createService = () =>
  createIdentityService({
    storage: postgresStorage({ connectionString, schema }),
    secret: "a-benchmark-secret-of-at-least-32-characters",
    apiKey,
  });

const seed = async (): Promise<string[]> => {
  const pool = new pg.Pool({ connectionString });
  await pool.query(`drop schema if exists ${schema} cascade`);
  await pool.end();
  const identity = await createService();
  const ids: string[] = [];
  await identity.transaction(async (tx) => {
    for (let index = 0; index < settings.groups; index++) {
      const { group } = await tx.groups.create({ group: { name: groupName(index), data: groupData } });
      ids.push(group.id);
    }
  });
  await identity.close();
  return ids;
};

const startWorker = async (): Promise<number> => {
  const [address] = await once(cluster.fork(), "listening");
  return address.port;
};

if (cluster.isPrimary) {
  const ids = await seed();
  const [port = 0] = await Promise.all(Array.from({ length: processes }, startWorker));
  announceReady({ port, ids, credential: apiKey });
} else createServer(nodeHandler(await createService())).listen(0, "127.0.0.1");
