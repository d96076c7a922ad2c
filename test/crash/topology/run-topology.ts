import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startFlappingSink } from "../sink.ts";
import { findFreePort } from "../throw-away-postgres.ts";
import { Cluster } from "./cluster.ts";
import { type Accepted, isSound, judge } from "./judge.ts";
import { apiKey, Load, longestGap } from "./load.ts";

/** What is done to the machines, by name. */
type Failures = Readonly<Record<string, () => Promise<unknown>>>;

const callers = 12;
const patienceMs = 120_000;

/**
 * Three services behind a pooler, on a primary with two standbys, have machines taken away under load. Answers whether every acknowledged
 * write is there and every event of one arrived. `isShort` does it in about 60 s, else in 300.
 */
export async function runTopology(isShort: boolean): Promise<boolean> {
  const [cluster, sink] = [await Cluster.start(), await startFlappingSink()];
  const services: Service[] = [];
  process.on("exit", () => {
    for (const service of services) service.process?.kill("SIGKILL");
    cluster.remove();
  });
  for (let number = 0; number < 3; number++) services.push({ port: await findFreePort(), process: undefined });
  for (const service of services) await startService(service, cluster);
  const load = new Load(services.map(({ port }) => `http://127.0.0.1:${port}`));
  const eventsEnabled = { "group.create": true, "group.update": true, "user.create": true };
  const webhook = { url: sink.url, connectTimeout: 1_000, readTimeout: 2_000, global: true, eventsEnabled };
  if ((await load.ask(0, "POST", "/api/webhook", { webhook })) === undefined) throw new Error("The webhook was not made.");
  load.begin(callers);
  await pause(3_000);
  const all: Failures = {
    "a service is killed": () => restartService(services[0] as Service, cluster),
    "the pooler is killed, away for 1 s": () => cluster.restartPooler(1_000),
    "the synchronous standby is lost for 3 s": () => cluster.loseStandby(3_000),
    "the primary is killed, the standby promoted": () => cluster.failOver(),
    "the network carries nothing for 5 s": () => cluster.pausePooler(5_000),
    "all sessions are ended": () => cluster.endSessions(),
    "the disk of the primary hangs for 5 s": () => cluster.stallPrimary(5_000),
    "24 callers change one record for 5 s": () => load.storm(5_000),
  };
  const chosen = Object.entries(all).filter((_, index) => !isShort || [0, 1, 3].includes(index));
  for (const [name, fail] of chosen) {
    const begin = performance.now();
    await fail();
    await pause(Math.max(3_000, begin + (isShort ? 8_000 : 35_000) - performance.now()));
    const [writes, reads] = [load.writes, load.reads].map((answers) => longestGap(answers, begin, performance.now()));
    console.log(`${name}: no write was acknowledged for ${writes} ms, no read answered for ${reads} ms`);
  }
  await load.end();
  await printReplicaReads(services);
  return await report(load, sink.accepted);
}

async function printReplicaReads(services: readonly Service[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const { port } of services) {
    const headers = { authorization: apiKey };
    const metrics = await (await fetch(`http://127.0.0.1:${port}/api/prometheus/metrics`, { headers })).text();
    for (const [, outcome = "", count] of metrics.matchAll(/replica_reads_total\{outcome="(\w+)"\} (\d+)/g))
      counts.set(outcome, (counts.get(outcome) ?? 0) + Number(count));
  }
  console.log(`searches, by what became of them at the replica: ${JSON.stringify(Object.fromEntries(counts))}`);
}

interface Service {
  readonly port: number;
  process: ChildProcess | undefined;
}

async function startService(service: Service, cluster: Cluster): Promise<void> {
  const script = fileURLToPath(new URL("../server.ts", import.meta.url));
  const place = { CRASH_URL: cluster.url, CRASH_SESSION_URL: cluster.sessionUrl, CRASH_REPLICA_URL: cluster.replicaUrl };
  const env = { ...process.env, ...place, CRASH_KEY: apiKey, CRASH_PORT: String(service.port) };
  const child = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
  service.process = child;
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The service did not start.")));
  ended.catch(() => undefined);
  await Promise.race([once(child.stdout, "data"), ended]);
}

async function restartService(service: Service, cluster: Cluster): Promise<void> {
  service.process?.kill("SIGKILL");
  await startService(service, cluster);
}

/** Prints what was lost; answers whether nothing was. */
async function report(load: Load, accepted: readonly Accepted[]): Promise<boolean> {
  const read = async (id: string): Promise<number | undefined> => {
    const answer = await load.ask(1, "GET", `/api/group/${id}`);
    return (answer?.group as { readonly data: { readonly count: number } } | undefined)?.data.count;
  };
  const verdict = await judge(load, accepted, read, patienceMs);
  const { doubledEvents, lostEvents, lostWrites, repeatedDeliveries } = verdict;
  console.log(`${load.writes.length} acknowledged writes, ${load.reads.length} reads, ${load.events.length} events`);
  console.log(
    `lost writes ${lostWrites}, lost events ${lostEvents}, doubled events ${doubledEvents}, repeated deliveries ${repeatedDeliveries}`,
  );
  for (const [about, count] of load.unexpected) console.error(`unexpected, ${count} times: ${about}`);
  return isSound(verdict) && load.unexpected.size === 0;
}
