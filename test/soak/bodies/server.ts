/** The service under the soak, in a process of its own: the built package, with a watch on its event loop and its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import type { Storage } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";
import { fill, type Send } from "./fill.ts";

const { SOAK_STORAGE: place = "memory:", SOAK_KEY: apiKey = "", SOAK_FILL: records } = process.env;

const identity = await createIdentityService({
  storage: open(place),
  secret: "the secret of the soak, of more than thirty-two characters",
  apiKey,
  logger: { debug: () => undefined, info: () => undefined, warn: report, error: report },
});
if (records !== undefined) await fill(toSend(identity), Number(records));

function open(url: string): Storage {
  if (url === "memory:") return memoryStorage();
  return url.startsWith("sqlite:") ? sqliteStorage({ filename: url.slice(7) }) : postgresStorage({ connectionString: url });
}

function report(fields: object, message: string): void {
  console.error(message, JSON.stringify(fields).slice(0, 1_000));
}

function toSend(service: IdentityService): Send {
  const headers = { Authorization: apiKey, "content-type": "application/json" };
  return async (method, url, body) => {
    const { body: text, status } = await service.inject({ method, url, headers, body: JSON.stringify(body) });
    return { status, body: text };
  };
}

/** What is measured while the requests of one step are under way. */
interface Watch {
  /** How long the event loop was blocked at most, and how much of that was work of its own thread. */
  blockMs: number;
  blockCpuMs: number;
  serviceMs: number;
}

let watch: Watch = { blockMs: 0, blockCpuMs: 0, serviceMs: 0 };
let cpu = process.cpuUsage();

const tickMs = 2;
let lastTick = performance.now();
let lastCpu = process.threadCpuUsage();

setInterval(() => {
  const now = performance.now();
  const blockMs = now - lastTick - tickMs;
  const { system, user } = process.threadCpuUsage(lastCpu);
  if (blockMs > watch.blockMs) Object.assign(watch, { blockMs, blockCpuMs: (user + system) / 1_000 });
  lastTick = now;
  lastCpu = process.threadCpuUsage();
}, tickMs);

const answer = nodeHandler(identity);

// The answer has gone, or its client.
function handle(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers["x-soak"] !== undefined) {
    const start = performance.now();
    response.once("close", () => {
      watch.serviceMs = Math.max(watch.serviceMs, performance.now() - start);
    });
  }
  answer(request, response);
}

process.on("message", async (order) => {
  if (order === "stop") {
    await identity.close();
    process.exit();
  }
  const { system, user } = process.cpuUsage(cpu);
  process.send?.({ ...watch, cpuMs: (system + user) / 1_000, memoryMiB: process.memoryUsage().rss / 1_048_576 });
  watch = { blockMs: 0, blockCpuMs: 0, serviceMs: 0 };
  cpu = process.cpuUsage();
});
process.on("disconnect", () => process.exit());

const server = createServer(handle);
// As `npm start` has it: a connection that ends while nobody asks would be told as a failure.
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : 0 });
});
