/** Goals 31 to 38: a million users imported, looked up, listed and exported, against the same by hand in the same process. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { apiKey } from "../harness/fixtures.ts";
import { fromBench } from "../harness/paths.ts";
import { ask, endProcess, spawnNode } from "../harness/processes.ts";
import {
  emailOf,
  moreUsers,
  pageSize,
  pieces,
  type UsersFigures,
  type UsersJob,
  type UsersReport,
  userCount,
} from "../harness/users-data.ts";
import type { HandOrder } from "../yardsticks/users-by-hand.ts";
import { type OpenService, openByHand, openEmpty } from "./users-services.ts";

const byHand = await openByHand();
let service: OpenService | undefined;
let figures: UsersFigures = { slowdown: 0, indexed: 0, importMemory: 0, exportMemory: 0, reads: 0, writes: 0, block: 0 };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const toMiB = (bytes: number): number => bytes / 2 ** 20;
const headers = { authorization: apiKey };

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const timeOf = async (work: () => unknown): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
};

/** The most memory that is in use while `work` is done, more than before it, in MiB. */
const memoryOf = async (work: () => Promise<unknown>): Promise<number> => {
  collectGarbage();
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 50);
  await work();
  clearInterval(timer);
  return toMiB(most - before);
};

/** A state of a job, and when it was seen, in milliseconds. */
interface Progress {
  readonly state: string;
  readonly done: number;
  readonly time: number;
}

type Job = Readonly<Record<"id" | "state", string>> & Readonly<Record<"created" | "updated" | "skipped" | "failed", number>>;

const readJob = async (url: string): Promise<{ readonly job: Job }> => {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`The job answered ${response.status}: ${await response.text()}`);
  return response.json() as Promise<{ readonly job: Job }>;
};

const jobUrl = (url: string, id: string): string => `${url}/api/user/import/job/${id}`;

const startJob = async (url: string, rows: Iterable<Buffer>): Promise<string> => {
  const upload = { method: "POST", headers: { ...headers, "content-type": "application/x-ndjson" }, duplex: "half" } as const;
  const response = await fetch(`${url}/api/user/import/job?events=bulk`, { ...upload, body: ReadableStream.from(rows) });
  if (response.status !== 202) throw new Error(`The upload answered ${response.status}: ${await response.text()}`);
  return jobUrl(url, ((await response.json()) as { readonly job: Job }).job.id);
};

/** Watches a job until it ends. */
const followJob = async (url: string, count = userCount): Promise<readonly Progress[]> => {
  const seen: Progress[] = [];
  for (;;) {
    const { created, failed, skipped, state, updated } = (await readJob(url)).job;
    seen.push({ state, done: created + updated + skipped + failed, time: performance.now() });
    if (state === "Completed" && created !== count) throw new Error(`${created} users were created, and ${failed} failed.`);
    if (state === "Completed") return seen;
    if (state !== "Queued" && state !== "Running") throw new Error(`The job is ${state}.`);
    await pause(20);
  }
};

/** Seconds from the first sight of work to the end. */
const secondsOf = (seen: readonly Progress[]): number => {
  const first = seen.findLast(({ done, state }) => state === "Queued" || done === 0) ?? seen[0];
  return ((seen.at(-1)?.time ?? 0) - (first?.time ?? 0)) / 1_000;
};

/** The rate of the first tenth of the rows over that of the last. */
const slowdownOf = (seen: readonly Progress[]): number => {
  const timeAt = (share: number): number => seen.find(({ done }) => done >= userCount * share)?.time ?? 0;
  return (timeAt(1) - timeAt(0.9)) / (timeAt(0.1) - timeAt(0.000_001));
};

/** Rows a second of the first tenth of the last import, which went into an empty service. */
let firstRate = 0;

/** So that the 99th percentile of the writes, of which there are twenty a second, is not one of them. */
const quietSeconds = 20;

const importOurs = async (): Promise<number> => {
  await service?.close();
  const own = await openEmpty();
  service = own;
  const pinger = spawnNode({
    script: fromBench("harness/users-pinger.ts"),
    core: undefined,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: {},
    args: [own.url],
  });
  await pause(1_000);
  const takeTimes = (): Promise<Pick<UsersFigures, "reads" | "writes">> => ask(pinger, "times");
  await takeTimes();
  await pause(quietSeconds * 1_000);
  const quiet = await takeTimes();
  let seen: readonly Progress[] = [];
  const importMemory = await memoryOf(async () => {
    const { jobId } = await ask<{ readonly jobId: string }>(pinger, "upload");
    await takeTimes();
    seen = await followJob(jobUrl(own.url, jobId));
  });
  const timeAt = (rows: number): number => seen.find(({ done }) => done >= rows)?.time ?? 0;
  firstRate = userCount / 10 / (timeAt(userCount / 10) - timeAt(1));
  const busy = await takeTimes();
  await endProcess(pinger);
  const inMs = ({ reads, writes }: typeof quiet): string => `reads ${reads.toFixed(1)} ms, writes ${writes.toFixed(1)} ms`;
  console.log(`p99      in quiet seconds: ${inMs(quiet)}; during the import: ${inMs(busy)}`);
  figures = {
    ...figures,
    slowdown: slowdownOf(seen),
    importMemory,
    reads: busy.reads / quiet.reads,
    writes: busy.writes / quiet.writes,
  };
  return secondsOf(seen);
};

let isFilled = false;

const importBoth = async (): Promise<UsersReport> => {
  const ours = await importOurs();
  const base = await timeOf(() => byHand.import(pieces()));
  await byHand.makeOrders();
  // The import by hand has blocked this thread: the next request must not go to a connection that the server has closed since.
  await pause(100);
  isFilled = true;
  return { ours: userCount / ours, base: userCount / base };
};

/** The service with all users in it. */
const filled = async (): Promise<OpenService> => {
  if (!isFilled) await importBoth();
  return service as OpenService;
};

/** Both sides in turns, until so much time has passed. */
const inTurns = async (seconds: number, ours: () => Promise<unknown>, base: () => Promise<unknown>): Promise<UsersReport> => {
  const spent = { ours: 0, base: 0 };
  let turns = 0;
  for (; spent.ours + spent.base < seconds || turns < 3; turns++) {
    spent.ours += await timeOf(ours);
    spent.base += await timeOf(base);
  }
  return { ours: turns / spent.ours, base: turns / spent.base };
};

const lookUp = async (column: "email" | "username", seconds: number): Promise<UsersReport> => {
  const { identity } = await filled();
  let index = 0;
  const next = (): string => {
    index = (index + 104_729) % userCount;
    return column === "email" ? emailOf(index) : `user-${index}`;
  };
  const assertFound = (found: unknown): void => {
    if (found === undefined) throw new Error("There is no such user.");
  };
  const times = (work: (value: string) => Promise<unknown>) => async (): Promise<void> => {
    for (let time = 0; time < 100; time++) assertFound(await work(next()));
  };
  const find = (value: string) => identity.users.find(column === "email" ? { email: value } : { loginId: value });
  return inTurns(
    seconds,
    times(async (value) => (await find(value)).user),
    times((value) => byHand.findBy(column, value)),
  );
};

const columns: Readonly<Record<string, HandOrder["column"]>> = {
  fullName: "full_name",
  insertInstant: "inserted",
  email: "email",
  username: "username",
  firstName: "first_name",
  lastName: "last_name",
};

/** Creates the indexes of searches, and says how long that took. */
const buildIndexes = async (asking: string, ...users: readonly Record<string, unknown>[]): Promise<void> => {
  const { identity } = await filled();
  const plans = await identity.planIndexes({ users });
  const seconds = await timeOf(async () => {
    for (const plan of plans) await plan.build();
  });
  if (plans.length > 0) console.log(`index    ${asking}: ready after ${seconds.toFixed(1)} s`);
};

const list = async (field: string, direction: "asc" | "desc", seconds: number): Promise<UsersReport> => {
  const { identity } = await filled();
  const order = { column: columns[field] ?? "full_name", direction };
  const sortFields = [{ name: field, order: direction }];
  const search = { numberOfResults: pageSize, queryString: "*", ...(field !== "default" && { sortFields }) };
  const check = (length: number, total: number): void => {
    if (length !== pageSize || total < userCount) throw new Error(`${length} users of ${total} were found.`);
  };
  const ours = async (): Promise<void> => {
    const { total, users } = await identity.users.search({ search });
    check(users.length, total);
  };
  await ours();
  await buildIndexes(`order ${field} ${direction}`, search);
  const base = async (): Promise<void> => {
    const { ids, total } = await byHand.page(order, pageSize);
    check(ids.length, total);
  };
  return inTurns(seconds, ours, base);
};

/** For how long nothing else was done, and how much of that the thread of the event loop was at work, in milliseconds. */
interface Block {
  readonly ms: number;
  readonly cpuMs: number;
}

const cpuOfThread = (): number => {
  const { system, user } = process.threadCpuUsage();
  return (system + user) / 1_000;
};

/** The longest block while `work` was done. */
const blockOf = async (work: () => Promise<unknown>): Promise<Block> => {
  const begin = (): Block => ({ ms: performance.now(), cpuMs: cpuOfThread() });
  let last = begin();
  let longest: Block = { ms: 0, cpuMs: 0 };
  const look = (): void => {
    const now = begin();
    if (now.ms - last.ms > longest.ms) longest = { ms: now.ms - last.ms, cpuMs: now.cpuMs - last.cpuMs };
    last = now;
  };
  const timer = setInterval(look, 1);
  await pause(20);
  longest = { ms: 0, cpuMs: 0 };
  last = begin();
  await work();
  look();
  clearInterval(timer);
  return longest;
};

const searches = [
  { queryString: "*" },
  { queryString: emailOf(4_711) },
  { queryString: `email:${emailOf(4_712)}` },
  { queryString: "user-123" },
  { queryString: "firstName:Ada" },
  { queryString: "lastName:Br*" },
  { queryString: "ada brandt" },
  { queryString: "registrations.applicationId:10000000-0000-4000-8000-000000000001" },
  { queryString: "registrations.roles:buyer" },
  ...Object.keys(columns).flatMap((name) =>
    (["asc", "desc"] as const).map((order) => ({ queryString: "*", sortFields: [{ name, order }] })),
  ),
];

const measureBlock = async (): Promise<void> => {
  const { identity } = await filled();
  let block = 0;
  for (const search of searches)
    for (let time = 0; time < 3; time++) {
      // Neither what is loaded and compiled with the first search, nor what others left to collect, is what is measured.
      collectGarbage();
      const longest = await blockOf(() => identity.users.search({ search: { numberOfResults: pageSize, ...search } }));
      if (time > 0 && longest.ms > block) {
        block = longest.ms;
        console.log(
          `block    ${JSON.stringify(search)}: ${block.toFixed(1)} ms, at work for ${longest.cpuMs.toFixed(1)} of them`,
        );
      }
    }
  figures = { ...figures, block };
};

/** An import into the service that the searches above have had indexes made for. */
const measureIndexed = async (): Promise<void> => {
  const { identity, url } = await filled();
  if (figures.block === 0) await measureBlock();
  const { storage } = await identity.system.status();
  const ready = storage.indexes.filter(({ state }) => state === "ready");
  const seen = await followJob(await startJob(url, pieces(userCount, userCount + moreUsers)), moreUsers);
  const first = seen.find(({ done }) => done > 0) ?? seen[0];
  const ms = (seen.at(-1)?.time ?? 0) - (first?.time ?? 0);
  const rate = (moreUsers - (first?.done ?? 0)) / ms;
  console.log(
    `indexed  ${ready.length} indexes: ${Math.round(rate * 1_000)} users/s, into an empty one ${Math.round(firstRate * 1_000)}`,
  );
  figures = { ...figures, indexed: firstRate / rate };
};

const countLines = (text: string): number => text.split("\n").length - 1;

const exportOurs = async (url: string): Promise<void> => {
  const response = await fetch(`${url}/api/user/export`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ search: { queryString: "*" } }),
  });
  if (!response.ok || response.body === null) throw new Error(`The export answered ${response.status}.`);
  let lines = 0;
  for await (const chunk of response.body) lines += countLines(Buffer.from(chunk).toString("latin1"));
  if (lines < userCount) throw new Error(`${lines} users were exported.`);
};

let isExported = false;

const exportBoth = async (): Promise<UsersReport> => {
  const { url } = await filled();
  isExported = true;
  let ours = 0;
  const exportMemory = await memoryOf(async () => {
    ours = await timeOf(() => exportOurs(url));
  });
  figures = { ...figures, exportMemory };
  let lines = 0;
  const base = await timeOf(() => byHand.export((text) => (lines += countLines(text))));
  if (lines !== userCount) throw new Error(`${lines} users were exported by hand.`);
  return { ours: userCount / ours, base: userCount / base };
};

const together = 2_000;
let created = 0;

const createBoth = async (): Promise<UsersReport> => {
  service ??= await openEmpty();
  const { identity } = service;
  const emails = Array.from({ length: together }, () => `created-${process.pid}-${++created}@mail.example`);
  const ours = await timeOf(() =>
    identity.transaction(async (tx) => {
      for (const email of emails) await tx.users.create({ user: { email, username: email } });
    }),
  );
  const base = await timeOf(() => byHand.create(emails));
  return { ours: together / ours, base: together / base };
};

const run = async ({ seconds, work }: UsersJob): Promise<UsersReport | UsersFigures> => {
  const [kind, field = "", direction] = work.split(" ");
  switch (kind) {
    case "import":
      return importBoth();
    case "creates":
      return createBoth();
    case "email":
      return lookUp("email", seconds);
    case "loginId":
      return lookUp("username", seconds);
    case "export":
      return exportBoth();
    case "block":
      await measureBlock();
      return figures;
    case "indexed":
      await measureIndexed();
      return figures;
    case "order":
      return list(field, direction === "desc" ? "desc" : "asc", seconds);
    case "exportMemory":
      if (!isExported) await exportBoth();
      return figures;
    default:
      await filled();
      return figures;
  }
};

process.on("message", async (job: UsersJob) => process.send?.(await run(job)));
