/**
 * Calls a service now and then, and reports how long the calls took: what users see while somebody else imports a million. It uploads them
 * too, so that the memory of a client is not counted.
 */
import { apiKey } from "./fixtures.ts";
import { pieces } from "./users-data.ts";

const url = String(process.argv[2]);
const headers = { authorization: apiKey, "content-type": "application/json" };
const periods = { reads: 10, writes: 50 } as const;
type Kind = keyof typeof periods;

let times: Record<Kind, number[]> = { reads: [], writes: [] };
let groupId = "";
let count = 0;

const call = async (path: string, method: string, body?: object): Promise<Record<string, { readonly id: string }>> => {
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.json() as Promise<Record<string, { readonly id: string }>>;
};

const run: Readonly<Record<Kind, () => Promise<unknown>>> = {
  reads: () => call(`/api/group/${groupId}`, "GET"),
  writes: () => call("/api/group", "POST", { group: { name: `Pinged ${process.pid} ${++count}` } }),
};

const time = async (kind: Kind): Promise<void> => {
  const start = performance.now();
  await run[kind]();
  times[kind].push(performance.now() - start);
};

const percentile = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;

groupId = String((await call("/api/group", "POST", { group: { name: `Pinged ${process.pid}` } })).group?.id);
for (const kind of ["reads", "writes"] as const) setInterval(() => void time(kind), periods[kind]);

/** Uploads all users; @returns the id of the job. */
const upload = async (): Promise<string> => {
  const response = await fetch(`${url}/api/user/import/job?events=bulk`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/x-ndjson" },
    duplex: "half",
    body: ReadableStream.from(pieces()),
  });
  if (response.status !== 202) throw new Error(`The upload answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { readonly job: { readonly id: string } }).job.id;
};

/** The times since the last question; each question starts afresh. */
const takeTimes = (): Readonly<Record<Kind, number>> => {
  const taken = { reads: percentile(times.reads), writes: percentile(times.writes) };
  times = { reads: [], writes: [] };
  return taken;
};

process.on("message", async (question: "times" | "upload") =>
  process.send?.(question === "upload" ? { jobId: await upload() } : takeTimes()),
);
