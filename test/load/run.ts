/**
 * `npm run load [-- --seconds 3600] [--share 0.8] [--warm-up 30]`: a mixed load that keeps a share of the service's core busy. Machines that are
 * shared change their speed, and the load follows. It prints latencies and memory by tenths, and ends with 1 where an answer is wrong, an event
 * is lost, memory grows or the service does not keep up. Times never fail it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { listen } from "../bench/harness/listen.ts";
import { ask, canPin, core, endProcess, spawnNode } from "../bench/harness/processes.ts";
import { EventLedger, findTrend, type Kind, type Latency, sumOf, type Tenth, type Weight } from "./judge.ts";
import { callClosed, callOpenly } from "./open-loop.ts";
import { busyShare, nextRate, readCore } from "./pace.ts";
import { Profile } from "./profile.ts";

const kinds: readonly Kind[] = ["read", "write", "search", "login"];
const callers = 32;
const mostGrowth = 0.1;
const mostDropped = 0.02;
const patienceMs = 60_000;
const paceMs = 500;

const number = (text: string): { type: "string"; default: string } => ({ type: "string", default: text });
const { values } = parseArgs({ options: { seconds: number("3600"), share: number("0.8"), "warm-up": number("30") } });
const [seconds, share, warmUp] = [Number(values.seconds), Number(values.share), Number(values["warm-up"])];

if (!canPin) throw new Error("The load test needs two cores, and taskset to give one of them to the service.");

const apiKey = crypto.randomUUID();
const directory = mkdtempSync(join(tmpdir(), "latchkey-load-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));

const events = new EventLedger();
const sink = createServer(async (request, response) => {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  const { event } = JSON.parse(text);
  events.receive(`${event.type} ${event.linkedObjectId}`);
  response.end();
});
const sinkPort = await listen(sink);

const server = spawnNode({
  script: fileURLToPath(new URL("server.ts", import.meta.url)),
  core: core.server,
  stdio: ["ignore", "inherit", "inherit", "ipc"],
  env: { LOAD_FILE: join(directory, "latchkey.db"), LOAD_KEY: apiKey, NODE_OPTIONS: "--expose-gc" },
});
const { port } = await new Promise<{ readonly port: number }>((resolve, reject) => {
  server.once("message", (message) => resolve(message as { readonly port: number }));
  server.once("exit", () => reject(new Error("The server did not start.")));
});
const profile = new Profile(`http://127.0.0.1:${port}`, apiKey, events);
await profile.prepare(`http://127.0.0.1:${sinkPort}/`);

await callClosed(callers, warmUp / 2, () => profile.next());
let perSecond = share * (await measureCapacity());

const tenths: Tenth[] = [];
let dropped = 0;
for (let index = 0; index < 10; index++) {
  const tenth = await runTenth();
  tenths.push(tenth);
  const times = kinds.map((kind) => {
    const { calls, p50, p99 } = tenth.latencies[kind];
    return `${kind} ${calls} calls, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`;
  });
  const { heap, resident, guests } = tenth.weight;
  const weights = `heap ${heap.toFixed(1)} MiB, resident ${resident.toFixed(0)}, guests ${guests.toFixed(0)}`;
  const rate = sumOf(kinds.map((kind) => tenth.latencies[kind].calls)) / (seconds / 10);
  console.info(`tenth ${index + 1}: ${Math.round(rate)} calls/s; ${times.join("; ")}; ${weights}`);
}

await waitForEvents();
const trend = findTrend(tenths);
const { expected, lost, repeated } = events.count();
const changes = Object.entries(trend).map(([what, share]) => `${what} ${(100 * share).toFixed(1)} %`);
console.info(`from the third to the last tenth, p99 by kind and memory: ${changes.join(", ")}`);
console.info(`${expected} events expected, ${lost} lost, ${repeated} repeated; ${dropped} calls dropped`);
const calls = sumOf(tenths.flatMap(({ latencies }) => kinds.map((kind) => latencies[kind].calls)));
if (lost > 0 || dropped > mostDropped * calls || Math.max(trend.heap, trend.resident, trend.guests) > mostGrowth)
  process.exitCode = 1;
await endProcess(server);
process.exit();

/** Calls per second that the service keeps up with, deliveries included: the time until the last event has arrived counts. */
async function measureCapacity(): Promise<number> {
  const begin = performance.now();
  const calls = await callClosed(callers, warmUp / 2, () => profile.next());
  await waitForEvents();
  return (1_000 * calls) / (performance.now() - begin);
}

/** Adjusts the rate until the timer is cleared. */
function startPace(): NodeJS.Timeout {
  let before = readCore(core.server);
  return setInterval(() => {
    const after = readCore(core.server);
    perSecond = nextRate(perSecond, share, busyShare(before, after));
    before = after;
  }, paceMs);
}

async function waitForEvents(): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (events.count().lost > 0 && performance.now() < deadline) await pause(100);
}

async function runTenth(): Promise<Tenth> {
  const histograms = Object.fromEntries(kinds.map((kind) => [kind, createHistogram()])) as Record<Kind, RecordableHistogram>;
  const record = (kind: Kind, milliseconds: number): void =>
    histograms[kind].record(Math.max(1, Math.round(1_000 * milliseconds)));
  const pace = startPace();
  dropped += await callOpenly({ perSecond: () => perSecond, seconds: seconds / 10 }, () => profile.next(), record);
  clearInterval(pace);
  const latencyOf = (kind: Kind): Latency => {
    const histogram = histograms[kind];
    const [p50, p99] = [50, 99].map((share) => histogram.percentile(share) / 1_000) as [number, number];
    return { calls: histogram.count, p50, p99 };
  };
  const latencies = {
    read: latencyOf("read"),
    write: latencyOf("write"),
    search: latencyOf("search"),
    login: latencyOf("login"),
  };
  return { latencies, weight: await ask<Weight>(server, "weigh") };
}
