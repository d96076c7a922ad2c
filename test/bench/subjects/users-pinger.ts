/** Calls a service now and then, and tells how long the calls took: what users see while somebody else imports a million. */
import { apiKey } from "../harness/fixtures.ts";

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

// Each question starts afresh.
process.on("message", () => {
  process.send?.({ reads: percentile(times.reads), writes: percentile(times.writes) });
  times = { reads: [], writes: [] };
});
