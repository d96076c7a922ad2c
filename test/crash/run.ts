/**
 * `npm run crash-test -- [kills] [--storage postgres]`: a server under load is killed at random moments, 30 times unless told otherwise;
 * on Postgres, of which it makes a server of its own, the database crashes every other time instead. Afterwards every write that
 * was acknowledged is there, and every event of such a write has been accepted by a receiver that flaps. Ends non-zero otherwise.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startFlappingSink } from "./sink.ts";
import { startThrowAwayPostgres } from "./throw-away-postgres.ts";

const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: { storage: { type: "string", default: "sqlite" } },
});
const kills = Number(positionals[0] ?? 30);
if (!["sqlite", "postgres"].includes(given.storage)) throw new Error("--storage is sqlite or postgres.");
const writers = 16;
const apiKey = "the-api-key-of-the-crash-test-0123456789";
// Longer than the lease of a process that died.
const patienceMs = 120_000;

const folder = mkdtempSync(join(tmpdir(), "latchkey-crash-"));
const sink = await startFlappingSink();
const port = await findFreePort();
const database = given.storage === "postgres" ? await startThrowAwayPostgres(await findFreePort()) : undefined;
const origin = `http://127.0.0.1:${port}`;
const acknowledged: string[] = [];
let server: ChildProcess | undefined;
let isOver = false;

process.on("exit", () => {
  server?.kill("SIGKILL");
  database?.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return typeof address === "object" ? Number(address?.port) : 0;
}

async function start(): Promise<void> {
  const script = fileURLToPath(new URL("server.ts", import.meta.url));
  const place = database === undefined ? { CRASH_FILE: join(folder, "crash.db") } : { CRASH_URL: database.url };
  const env = { ...process.env, ...place, CRASH_KEY: apiKey, CRASH_PORT: String(port) };
  server = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "exit").then(() => Promise.reject(new Error("The server did not start.")));
  ended.catch(() => undefined);
  if (server.stdout) await Promise.race([once(server.stdout, "data"), ended]);
}

async function kill(): Promise<void> {
  if (server === undefined) return;
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
}

async function call(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { authorization: apiKey, "content-type": "application/json" };
  const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: response.status === 200 ? await response.json() : await response.text() };
}

async function write(writer: number): Promise<void> {
  for (let count = 0; !isOver; count++) {
    const group = { name: `group ${writer} ${count} ${crypto.randomUUID()}` };
    const answer = await call("POST", "/api/group", { group }).catch(() => undefined);
    // What is down is asked again a little later.
    if (answer === undefined || (database !== undefined && answer.status === 503)) await pause(20);
    else if (answer.status === 200) acknowledged.push((answer.body as { readonly group: { readonly id: string } }).group.id);
    else throw new Error(`A write was answered ${answer.status}: ${answer.body}`);
  }
}

async function countLostWrites(): Promise<number> {
  let lost = 0;
  for (const id of acknowledged) if ((await call("GET", `/api/group/${id}`)).status !== 200) lost++;
  return lost;
}

function findUndelivered(): readonly string[] {
  const arrived = new Set(sink.accepted.map(({ groupId }) => groupId));
  return acknowledged.filter((id) => !arrived.has(id));
}

function countWrongRepetitions(): number {
  const ids = Map.groupBy(sink.accepted, ({ groupId }) => groupId);
  return [...ids.values()].filter((all) => new Set(all.map(({ eventId }) => eventId)).size > 1).length;
}

await start();
const webhook = {
  url: sink.url,
  connectTimeout: 1_000,
  readTimeout: 2_000,
  global: true,
  eventsEnabled: { "group.create": true },
};
const made = await call("POST", "/api/webhook", { webhook });
if (made.status !== 200) throw new Error(`The webhook was answered ${made.status}: ${made.body}`);
const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
writing.catch((error) => {
  console.error(error);
  process.exit(1);
});

for (let count = 0; count < kills; count++) {
  await pause(100 + Math.random() * 900);
  if (database !== undefined && count % 2 === 1) await database.restart();
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
console.log(`crash test on ${given.storage}: ${acknowledged.length} acknowledged writes, ${kills - crashes} kills${ofDatabase}`);
console.log(
  `lost writes ${lost.writes}, lost events ${lost.events}, repeated deliveries ${repeated}, of them with another id ${lost.ids}`,
);
await kill();
sink.close();
if (lost.writes + lost.events + lost.ids > 0) process.exitCode = 1;
process.exit();
