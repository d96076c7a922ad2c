/** A thread that asks the service for something light every 20 ms, and tells how long the answers took. */
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const { port, headers, path }: { port: number; headers: Record<string, string>; path: string } = workerData;
const everyMs = 20;
const maxWaiting = 64;
const agent = new Agent({ keepAlive: true });
const waiting = new Set<number>();
let longestMs = 0;
let failures = 0;

function end(start: number): void {
  if (waiting.delete(start)) longestMs = Math.max(longestMs, performance.now() - start);
}

setInterval(() => {
  if (waiting.size >= maxWaiting) return;
  const start = performance.now();
  waiting.add(start);
  const sent = request({ host: "127.0.0.1", port, path, headers, agent }, (response) => {
    if (response.statusCode !== 200) failures++;
    response.resume().once("end", () => end(start));
  });
  sent.once("error", () => {
    failures++;
    end(start);
  });
  sent.end();
}, everyMs);

parentPort?.on("message", () => {
  const now = performance.now();
  for (const start of waiting) longestMs = Math.max(longestMs, now - start);
  parentPort?.postMessage({ longestMs, failures });
  longestMs = 0;
  failures = 0;
});
