import { Worker } from "node:worker_threads";
import type { HashCall, HashResult, HashTask } from "./hash-thread.js";

// From source, Node strips the types itself; the published program stands beside the bundle that holds this module.
const program = new URL(import.meta.url.endsWith(".ts") ? "./hash-thread.ts" : "./hash-thread.js", import.meta.url);

type Settle = (result: Uint8Array | undefined) => void;

let thread: Worker | undefined;
let lastId = 0;
const pending = new Map<number, Settle>();

/**
 * Computes a hash in a thread, which all services of the process share and the first task starts. It keeps the process alive only while it
 * computes. Undefined where the library refuses the task, or where the thread ended.
 */
export function runInThread(task: HashTask): Promise<Uint8Array | undefined> {
  thread ??= startThread();
  thread.ref();
  const id = ++lastId;
  return new Promise((resolve) => {
    pending.set(id, resolve);
    thread?.postMessage({ id, task } satisfies HashCall);
  });
}

function startThread(): Worker {
  const worker = new Worker(program, { execArgv: [], env: {} });
  const settle = (id: number, result: Uint8Array | undefined): void => {
    pending.get(id)?.(result);
    pending.delete(id);
    if (pending.size === 0) worker.unref();
  };
  worker.on("message", ({ id, result }: HashResult) => settle(id, result));
  // Its end follows.
  worker.on("error", () => undefined);
  worker.on("exit", () => {
    if (thread === worker) thread = undefined;
    for (const id of pending.keys()) settle(id, undefined);
  });
  return worker;
}
