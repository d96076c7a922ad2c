import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LambdaOutcome, LambdaRunner } from "latchkey/ports";
import { hostOf, pause, type RunParts, runStatements, toRun } from "../contract/lambda-runner/kit.js";
import type { HostileLambda } from "./hostile-lambdas.js";

/** A secret that no lambda may read: it is in the host's environment, and in the arguments of another tenant's runs. */
export const canary = "canary-of-the-host-7f3a";

/** The delays of the event loop, in milliseconds. */
export interface LoopDelay {
  /** The 99th percentile of all delays, including those by other processes. */
  readonly delay: number;
  /** The longest uninterrupted work of the host itself. */
  readonly work: number;
}

/** The results of the hostile bodies, and their effect on other work. */
export interface Storm {
  /** Descriptions of harm. */
  readonly harm: readonly string[];
  readonly tried: number;
  /** The event loop of the host before the hostile bodies, and with them. */
  readonly before: LoopDelay;
  readonly during: LoopDelay;
  /** The maximum growth of the host, in MiB. */
  readonly grownMebibytes: number;
  /** Requests with status 200. */
  readonly answered: number;
  /** Requests, and runs of another tenant, with another result. */
  readonly unanswered: number;
  /** The slowest request, and the slowest run of another tenant, in milliseconds. */
  readonly slowestRequest: number;
  readonly slowestNeighbour: number;
}

/** The targets of a storm. */
export interface Shore {
  readonly runner: LambdaRunner;
  /** An ordinary request; returns whether its status is 200. */
  readonly request: () => Promise<boolean>;
}

const mebibyte = 1_048_576;
const atATime = 16;
const calmMilliseconds = 1_500;
const tickMilliseconds = 5;
const bombMilliseconds = 80;
const host = hostOf({
  fetch: () => ({ status: 200, headers: {}, body: "" }),
  "secrets.get": () => "a secret of its own",
  "host.echo": (value) => value,
  "host.fail": () => Promise.reject(new Error("refused")),
});

/** Runs hostile bodies, 16 at a time, beside ordinary requests and another tenant's runs. */
export async function runStorm(shore: Shore, bodies: readonly HostileLambda[]): Promise<Storm> {
  const calm = await watch(shore, () => pause(calmMilliseconds));
  let harm: readonly string[] = [];
  const rough = await watch(shore, async () => {
    harm = await findHarm(shore.runner, bodies);
  });
  const { loop, ...seen } = rough;
  return { ...seen, harm, tried: bodies.length, before: calm.loop, during: loop };
}

/** Runs hostile bodies, 16 at a time. Returns descriptions of harm. */
export async function findHarm(runner: LambdaRunner, bodies: readonly HostileLambda[]): Promise<readonly string[]> {
  const harm: string[] = [];
  const waiting = [...bodies];
  await Promise.all(Array.from({ length: atATime }, (_, number) => drain(runner, waiting, `hostile ${number % 4}`, harm)));
  return harm;
}

async function drain(runner: LambdaRunner, waiting: HostileLambda[], tenantId: string, harm: string[]): Promise<void> {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { name, body, kinds } = next;
    const limits = kinds.includes("timedOut") ? { wallClockMilliseconds: bombMilliseconds } : {};
    const given = { jwt: {}, user: {}, context: {} };
    const outcome = await runner.run(toRun(body, { tenantId, lambdaId: name, given, limits, host }));
    harm.push(...harmOf(next, outcome));
    if (!(await isClean(runner, tenantId))) harm.push(`${name}: it is seen by the next call`);
  }
}

function harmOf({ name, kinds }: HostileLambda, outcome: LambdaOutcome): string[] {
  const harm: string[] = [];
  // A slow machine may time out any body.
  if (outcome.kind !== "timedOut" && !kinds.includes(outcome.kind)) harm.push(`${name}: ${describe(outcome)}`);
  if (outcome.kind === "ok" && JSON.parse(outcome.changedJson).jwt?.escaped !== undefined) harm.push(`${name}: it escaped`);
  if (JSON.stringify(outcome).includes(canary)) harm.push(`${name}: it read what is not its own`);
  return harm;
}

function describe(outcome: LambdaOutcome): string {
  return outcome.kind === "ok" ? "it ended well" : `${outcome.kind}, ${outcome.message}`;
}

// Compares the realm with a fresh one.
async function isClean(runner: LambdaRunner, tenantId: string): Promise<boolean> {
  const look = "jwt.seen = [Object.keys(globalThis), String({}), [1].map(String)];";
  const outcome = await runInTime(runner, look, { tenantId, given: { jwt: {} } });
  return outcome.kind === "ok" && outcome.changedJson === '{"jwt":{"seen":[[],"[object Object]",["1"]]}}';
}

type Seen = Omit<Storm, "harm" | "tried" | "before" | "during"> & { readonly loop: LoopDelay };

/** Measures all other work during an action. */
async function watch({ runner, request }: Shore, act: () => Promise<unknown>): Promise<Seen> {
  const watched = { isOver: false };
  const delays = monitorEventLoopDelay({ resolution: tickMilliseconds });
  delays.enable();
  const others = [
    timeAll(watched, 2, request),
    timeAll(watched, 100, () => askNeighbour(runner)),
    weigh(watched),
    findLongestWork(watched),
  ] as const;
  await act();
  watched.isOver = true;
  const [requests, neighbours, grown, work] = await Promise.all(others);
  delays.disable();
  return {
    loop: { delay: delays.percentile(99) / 1e6, work },
    grownMebibytes: grown / mebibyte,
    unanswered: requests.unanswered + neighbours.unanswered,
    answered: requests.answered,
    slowestRequest: requests.slowest,
    slowestNeighbour: neighbours.slowest,
  };
}

interface Watched {
  isOver: boolean;
}

interface Times {
  answered: number;
  unanswered: number;
  slowest: number;
}

async function timeAll(watched: Watched, pauseMilliseconds: number, ask: () => Promise<boolean>): Promise<Times> {
  const times: Times = { answered: 0, unanswered: 0, slowest: 0 };
  while (!watched.isOver) {
    const start = performance.now();
    if (await ask()) times.answered++;
    else times.unanswered++;
    times.slowest = Math.max(times.slowest, performance.now() - start);
    await pause(pauseMilliseconds);
  }
  return times;
}

async function askNeighbour(runner: LambdaRunner): Promise<boolean> {
  const given = { jwt: { canary } };
  const outcome = await runInTime(runner, "jwt.length = jwt.canary.length;", { tenantId: "neighbour", given });
  return outcome.kind === "ok" && outcome.changedJson.includes(`"length":${canary.length}`);
}

// Retries if the machine was too slow.
async function runInTime(runner: LambdaRunner, statements: string, parts: RunParts): Promise<LambdaOutcome> {
  const outcome = await runStatements(runner, statements, parts);
  return outcome.kind === "timedOut" ? runInTime(runner, statements, parts) : outcome;
}

async function weigh(watched: Watched): Promise<number> {
  const before = process.memoryUsage.rss();
  let grown = 0;
  for (; !watched.isOver; await pause(10)) grown = Math.max(grown, process.memoryUsage.rss() - before);
  return grown;
}

// CPU time, because wall-clock time includes other processes.
async function findLongestWork(watched: Watched): Promise<number> {
  let [longest, before] = [0, threadMilliseconds()];
  while (!watched.isOver) {
    await pause(tickMilliseconds);
    const now = threadMilliseconds();
    longest = Math.max(longest, now - before);
    before = now;
  }
  return longest;
}

function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
