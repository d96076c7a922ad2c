import { MessageChannel, Worker } from "node:worker_threads";
import { assertKnownOptions } from "latchkey";
import { findPackageFile, type LambdaRunner } from "latchkey/ports";
import type { Frame, GuestEnd, GuestHandle, GuestListener } from "../lambda-guest/frames.js";
import { LambdaPool } from "../lambda-guest/pool.js";
import { checkInteger, type LambdaPoolOptions, poolOptionNames, toPoolOptions } from "../lambda-guest/pool-options.js";

/** Options of {@link nodeVmRunner}. */
export interface NodeVmRunnerOptions extends LambdaPoolOptions {
  /** The heap of a thread, in place of the heap that a run may have. Default 128. */
  readonly threadMebibytes?: number;
}

/**
 * A runner that is no wall against hostile code, as node:vm is none: for hosts that write their own lambdas and do not want a native
 * module. Scripts run in threads of the host's process; a run that takes too long ends its thread. What threads cannot be prevented from is
 * taking the memory of the whole process with a single huge allocation, or a core with a long built-in function. Nor can every
 * loop be ended: `for (;;) a.push(new Array(1000).fill(0))` goes on past its time, takes a core and ever more memory, is never answered and
 * keeps `close()` waiting.
 * @throws TypeError when an option is wrong.
 */
export function nodeVmRunner(options: NodeVmRunnerOptions = {}): LambdaRunner {
  assertKnownOptions("", options, { ...poolOptionNames, threadMebibytes: "number" });
  const { threadMebibytes = 128, ...rest } = options;
  const pool = toPoolOptions(rest);
  checkInteger("threadMebibytes", threadMebibytes, 16, 1_048_576);
  // A thread has no deadline of its own, so that there is nothing to wait for.
  const settings = { ...pool, graceMilliseconds: 0, guestMebibytes: Number.POSITIVE_INFINITY };
  const program = findPackageFile(import.meta.url, { source: "./guest.ts", built: "node-vm-guest.js" });
  return new LambdaPool(settings, (listener) => startGuestThread(program, threadMebibytes, listener));
}

const youngMebibytes = 16;
const stackMebibytes = 4;

/** Starts a thread whose heap is limited. It has no environment, and what it prints is seen by nobody. */
function startGuestThread(program: URL, heapMebibytes: number, listener: GuestListener): GuestHandle {
  const { port1: port, port2 } = new MessageChannel();
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(program, {
    workerData: { port: port2, sent },
    transferList: [port2],
    env: {},
    execArgv: [],
    // Unreferenced by the host's own code: reading from it would keep the host alive.
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: heapMebibytes,
      maxYoungGenerationSizeMb: youngMebibytes,
      stackSizeMb: stackMebibytes,
    },
  });
  let end: GuestEnd = { kind: "crashed", message: "The thread ended." };
  worker.on("error", (error) => {
    end = toEnd(error);
  });
  worker.on("message", (frame: Frame) => listener.onFrames([frame]));
  worker.on("exit", () => {
    port.close();
    listener.onEnd(end);
  });
  worker.unref();
  return {
    send(frame) {
      port.postMessage(frame);
      // It waits in a way that no message ends.
      Atomics.add(sent, 0, 1);
      Atomics.notify(sent, 0);
    },
    kill: () => void worker.terminate(),
    runningCall: () => undefined,
    residentBytes: () => undefined,
  };
}

function toEnd(error: unknown): GuestEnd {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return { kind: "outOfMemory", message: "It needed too much memory." };
  return { kind: "crashed", message: `The engine ended: ${message.slice(0, 200)}` };
}
