import type { ChildProcess } from "node:child_process";
import type { LoadRequest } from "../goals.ts";
import { readCpuSeconds } from "./foreign-cpu.ts";
import { type LoadJob, type LoadReport, uniquePlaceholder } from "./load-job.ts";
import { fromBench } from "./paths.ts";
import { ask, core, spawnNode } from "./processes.ts";
import type { Contestant } from "./race.ts";
import type { RunningServer } from "./server.ts";

export const startLoadClient = (): ChildProcess =>
  spawnNode({ script: fromBench("harness/load-client.ts"), core: core.client, stdio: ["ignore", "inherit", "inherit", "ipc"] });

interface Filling {
  readonly id: string;
  readonly credential: string;
  readonly unique: string;
}

const fill = (text: string, filling: Filling): string =>
  text.replace(/\{(id|credential|unique)\}/g, (_, name: keyof Filling) => filling[name]);

const toMessage = (request: LoadRequest, filling: Filling): string => {
  const body = fill(request.body ?? "", filling);
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${fill(value, filling)}\r\n`);
  const length = request.body === undefined ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${request.method} ${fill(request.path, filling)} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers.join("")}${length}\r\n${body}`;
};

const idleShare = 0.03;
const lookMs = 300;

/** Waits until a process has nothing more to do. */
const settle = async (pid: number): Promise<void> => {
  for (let before = readCpuSeconds(pid), after = Number.POSITIVE_INFINITY; ; before = after) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    after = readCpuSeconds(pid);
    if (!(after - before > (idleShare * lookMs) / 1_000)) return;
  }
};

/** One side of a load race: each sample asks for the server's ids in turn over `connections` connections. */
export const createLoadContestant = (
  client: ChildProcess,
  { server, request, settles }: { server: RunningServer; request: LoadRequest; settles?: boolean | undefined },
  { connections, seconds }: Pick<LoadJob, "connections" | "seconds">,
): Contestant => {
  const { credential, port } = server;
  const toMessages = (ids: readonly string[]): readonly string[] =>
    ids.map((id) => toMessage(request, { id, credential, unique: uniquePlaceholder }));
  const known = request.isSingleUse ? undefined : toMessages(server.ids);
  const run = async (messages: readonly string[]): Promise<Work> => {
    const job: LoadJob = { port, connections, seconds, messages, isSingleUse: request.isSingleUse };
    const cpuBefore = readCpuSeconds(server.pid);
    const report = await ask<LoadReport>(client, job);
    if (report.failure !== undefined) throw new Error(`wrong answer under load: ${report.failure}`);
    return { ...report, cpuSeconds: readCpuSeconds(server.pid) - cpuBefore };
  };
  return {
    pids: [server.pid, Number(client.pid)],
    sample: async () => {
      let work: Work = { answers: 0, seconds: 0, cpuSeconds: 0 };
      do work = sum(work, await run(known ?? toMessages(await readCodes(port))));
      while (known === undefined && work.seconds < seconds);
      if (settles) await settle(server.pid);
      return { perSecond: work.answers / work.seconds, perCpuSecond: work.answers / work.cpuSeconds };
    },
  };
};

interface Work {
  readonly answers: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const sum = (a: Work, b: Work): Work => ({
  answers: a.answers + b.answers,
  seconds: a.seconds + b.seconds,
  cpuSeconds: a.cpuSeconds + b.cpuSeconds,
});

/** So few that the memory adapter of oidc-provider, which holds 1,000 records, holds them with their tokens. */
const codesAtATime = 400;

/** Ids that are good for one request: making them is no part of the sample. */
const readCodes = async (port: number): Promise<readonly string[]> => {
  const answer = await fetch(`http://127.0.0.1:${port}/codes?count=${codesAtATime}`);
  if (answer.status !== 200) throw new Error(`there are no codes: ${await answer.text()}`);
  return (await answer.json()) as readonly string[];
};

const memberOf = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((parent, name) => (parent as Record<string, unknown> | undefined)?.[name], value);

const send = (server: RunningServer, request: LoadRequest, filling: Filling): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}${fill(request.path, filling)}`, {
    method: request.method,
    headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, fill(value, filling)]),
    body: request.body === undefined ? undefined : fill(request.body, filling),
  });

/** Throws unless the server answers rightly with the credential, and 401 with a wrong one. */
export const checkAnswers = async (server: RunningServer, request: LoadRequest): Promise<void> => {
  for (const id of [server.ids.at(0), server.ids.at(-1)]) {
    const filling: Filling = { id: String(id), credential: server.credential, unique: crypto.randomUUID() };
    const response = await send(server, request, filling);
    const text = await response.text();
    const seen = response.ok ? String(memberOf(JSON.parse(text), request.answer.member)) : "";
    if (response.status !== 200 || seen !== fill(request.answer.value, filling))
      throw new Error(`wrong answer to ${request.method} ${request.path}: ${response.status} ${text.slice(0, 300)}`);
    if (!request.isGuarded) continue;
    const refused = await send(server, request, { ...filling, credential: "wrong", unique: crypto.randomUUID() });
    if (refused.status !== 401)
      throw new Error(`a wrong credential got ${refused.status} from ${request.method} ${request.path}`);
  }
};
