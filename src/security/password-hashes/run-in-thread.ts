import { Worker } from "node:worker_threads";
import { findPackageFile } from "../../shared/packages.js";
import type { HashCall, HashResult, HashTask } from "./hash-thread.js";

/** Finds the program of the worker. @throws Error that names the file to copy, if a bundler left it out. */
export function findHashProgram(): URL {
  return findPackageFile(import.meta.url, { source: "./hash-thread.ts", built: "hash-thread.js" });
}

type Settle = (result: Uint8Array | undefined) => void;

let thread: Worker | undefined;
let lastId = 0;
const pending = new Map<number, Settle>();

/**
 * Computes a hash in a worker, which all services of the process share and the first task starts. The worker keeps the process
 * alive only during tasks. Undefined if the library refuses the task, or the worker ended.
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
  const worker = new Worker(findHashProgram(), { execArgv: [], env: {} });
  const settle = (id: number, result: Uint8Array | undefined): void => {
    pending.get(id)?.(result);
    pending.delete(id);
    if (pending.size === 0) worker.unref();
  };
  worker.on("message", ({ id, result }: HashResult) => settle(id, result));
  // The event `exit` follows.
  worker.on("error", () => undefined);
  worker.on("exit", () => {
    if (thread === worker) thread = undefined;
    for (const id of pending.keys()) settle(id, undefined);
  });
  return worker;
}
