/**
 * `npm run crash-test -- [kills] [--storage postgres]`: a server under load is killed at random moments, 30 times unless told otherwise;
 * on Postgres, of which it makes a server of its own, the database crashes every other time instead. Afterwards every write that
 * was acknowledged is there, and every event of such a write, and of what was removed beside them, has been accepted by a receiver that flaps. Ends non-zero otherwise.
 * With `--topology`: three services behind PgBouncer, on a primary with two standbys, of which each is taken away. `--short`: three of eight
 * failures.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type End, judgeRepetitions, storedWithin, type TimedWrite } from "./repetitions.ts";
import { startFlappingSink } from "./sink.ts";
import { findFreePort, startThrowAwayPostgres } from "./throw-away-postgres.ts";
import { runTopology } from "./topology/run-topology.ts";

const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: {
    storage: { type: "string", default: "sqlite" },
    topology: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
  },
});
if (given.topology) process.exit((await runTopology(given.short)) ? 0 : 1);
const kills = Number(positionals[0] ?? 30);
if (!["sqlite", "postgres"].includes(given.storage)) throw new Error("--storage is sqlite or postgres.");
const writers = 16;
/** So many writes are acknowledged between two ends, at least. */
const writesBetween = 5;
const apiKey = "the-api-key-of-the-crash-test-0123456789";
// Longer than the lease of a process that died.
const patienceMs = 120_000;

const folder = mkdtempSync(join(tmpdir(), "latchkey-crash-"));
const sink = await startFlappingSink();
const port = await findFreePort();
const database = given.storage === "postgres" ? await startThrowAwayPostgres(await findFreePort()) : undefined;
const origin = `http://127.0.0.1:${port}`;
/** The groups that are there. */
const acknowledged: string[] = [];
/** The events of all that was acknowledged, by type and subject. */
const expected: string[] = [];
const ends: End[] = [];
const writes: TimedWrite[] = [];
let removals = 0;
let server: ChildProcess | undefined;
let isOver = false;

process.on("exit", () => {
  server?.kill("SIGKILL");
  database?.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const script = fileURLToPath(new URL("server.ts", import.meta.url));
  const place = database === undefined ? { CRASH_FILE: join(folder, "crash.db") } : { CRASH_URL: database.url };
  const env = { ...process.env, ...place, CRASH_KEY: apiKey, CRASH_PORT: String(port) };
  server = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "exit").then(() => Promise.reject(new Error("The server did not start.")));
  ended.catch(() => undefined);
  if (server.stdout) await Promise.race([once(server.stdout, "data"), ended]);
}

async function restartDatabase(): Promise<void> {
  await noteEnd(() => database?.restart());
}

/** Ends something, and notes when. */
async function noteEnd(end: () => Promise<unknown> | undefined): Promise<void> {
  const begin = performance.now();
  const storedMs = storedWithin(writes, begin);
  await end();
  ends.push({ begin, over: performance.now(), storedMs });
}

async function kill(): Promise<void> {
  if (server === undefined) return;
  const gone = once(server, "exit");
  const ending = server;
  await noteEnd(() => {
    ending.kill("SIGKILL");
    return gone;
  });
}

async function call(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { authorization: apiKey, "content-type": "application/json" };
  const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  // A removal is answered without a body.
  return { status: response.status, body: response.status === 200 && text !== "" ? JSON.parse(text) : text };
}

/** Asks until it is answered, as what is down is asked again a little later; undefined where a call that may have been done was not answered. */
async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await call(method, path, body).catch(() => undefined);
  if (answer === undefined || (database !== undefined && answer.status === 503)) return void (await pause(20));
  if (answer.status !== 200) throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function makeGroup(name: string, tenantId: string): Promise<string | undefined> {
  const begin = performance.now();
  const id = idOf(await ask("POST", "/api/group", { group: { name: `${name} ${crypto.randomUUID()}`, tenantId } }), "group");
  if (id === undefined) return undefined;
  writes.push({ begin, end: performance.now() });
  expected.push(`group.create ${id}`);
  return id;
}

function idOf(body: unknown, wrapper: string): string | undefined {
  return (body as Readonly<Record<string, { readonly id: string }>> | undefined)?.[wrapper]?.id;
}

async function remove(path: string, about?: string): Promise<void> {
  const body = await ask("DELETE", path);
  if (body === undefined) return;
  removals++;
  if (about !== undefined) expected.push(about);
}

/** Makes something, has events wait that concern it, and removes it. */
const removalsOf: readonly ((name: string) => Promise<unknown>)[] = [
  async (name) => {
    const tenantId = idOf(await ask("POST", "/api/tenant", { tenant: { name } }), "tenant");
    if (tenantId === undefined) return;
    await makeGroup(name, tenantId);
    await remove(`/api/tenant/${tenantId}`);
  },
  async (name) => {
    const email = `${name.replaceAll(" ", "-")}@example.com`;
    const id = idOf(await ask("POST", "/api/user", { user: { email, tenantId: defaultTenantId } }), "user");
    if (id === undefined) return;
    expected.push(`user.create ${id}`);
    await remove(`/api/user/${id}?hardDelete=true`, `user.delete ${id}`);
  },
  async (name) => {
    const fields = { ...webhook, url: `${sink.url}other`, description: name, eventsEnabled: { "group.delete": true } };
    const id = idOf(await ask("POST", "/api/webhook", { webhook: fields }), "webhook");
    if (id !== undefined) await remove(`/api/webhook/${id}`);
  },
];

async function write(writer: number): Promise<void> {
  for (let count = 0; !isOver; count++) {
    if (count % 5 === 4) await removalsOf[(writer + count) % removalsOf.length]?.(`going ${writer} ${count} ${Date.now()}`);
    const id = await makeGroup(`group ${writer} ${count}`, defaultTenantId);
    if (id !== undefined) acknowledged.push(id);
  }
}

async function countLostWrites(): Promise<number> {
  let lost = 0;
  for (const id of acknowledged) if ((await call("GET", `/api/group/${id}`)).status !== 200) lost++;
  return lost;
}

function findUndelivered(): readonly string[] {
  const arrived = new Set(sink.accepted.map(({ about }) => about));
  return expected.filter((about) => !arrived.has(about));
}

function countWrongRepetitions(): number {
  const all = Map.groupBy(sink.accepted, ({ about }) => about);
  return [...all.values()].filter((one) => new Set(one.map(({ eventId }) => eventId)).size > 1).length;
}

await start();
const webhook = {
  url: sink.url,
  connectTimeout: 1_000,
  readTimeout: 2_000,
  global: true,
  eventsEnabled: { "group.create": true, "user.create": true, "user.delete": true },
};
const made = await call("POST", "/api/webhook", { webhook });
if (made.status !== 200) throw new Error(`The webhook was answered ${made.status}: ${made.body}`);
const { tenants } = (await call("GET", "/api/tenant")).body as { readonly tenants: readonly { readonly id: string }[] };
const defaultTenantId = tenants[0]?.id ?? "";
const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
writing.catch((error) => {
  console.error(error);
  process.exit(1);
});

for (let count = 0; count < kills; count++) {
  const before = acknowledged.length;
  await pause(100 + Math.random() * 900);
  // A slow machine needs longer before there is something to lose.
  const latest = performance.now() + patienceMs;
  while (acknowledged.length < before + writesBetween) {
    if (performance.now() > latest) throw new Error("The server acknowledges no writes.");
    await pause(20);
  }
  if (database !== undefined && count % 2 === 1) await restartDatabase();
  else {
    await kill();
    await start();
  }
}
isOver = true;
await writing;
const deadline = performance.now() + patienceMs;
while (findUndelivered().length > 0 && performance.now() < deadline) await pause(250);

const lost = { writes: await countLostWrites(), events: findUndelivered().length, ids: countWrongRepetitions() };
const repeated = sink.accepted.length - new Set(sink.accepted.map(({ eventId }) => eventId)).size;
const crashes = database === undefined ? 0 : Math.floor(kills / 2);
const ofDatabase = crashes > 0 ? `, and ${crashes} crashes of the database` : "";
console.log(
  `crash test on ${given.storage}: ${acknowledged.length} acknowledged writes, ${removals} removals, ${kills - crashes} kills${ofDatabase}`,
);
console.log(
  `lost writes ${lost.writes}, lost events ${lost.events}, repeated deliveries ${repeated}, of them with another id ${lost.ids}`,
);
const repetitions = judgeRepetitions(sink.accepted, ends);
console.log(repetitions.text);
if (repetitions.areTooMany) console.error("More deliveries were repeated than may be.");
await kill();
sink.close();
if (lost.writes + lost.events + lost.ids > 0 || repetitions.areTooMany) process.exitCode = 1;
process.exit();
