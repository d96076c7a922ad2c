import { MessageChannel, Worker } from "node:worker_threads";
import { assertKnownOptions } from "latchkey";
import { findPackageFile, type LambdaRunner } from "latchkey/ports";
import type { Frame, GuestEnd, GuestHandle, GuestListener } from "../lambda-guest/frames.js";
import { LambdaPool } from "../lambda-guest/pool.js";
import { checkInteger, type LambdaPoolOptions, poolOptionNames, toPoolOptions } from "../lambda-guest/pool-options.js";

/** Options of {@link nodeVmRunner}. */
export interface NodeVmRunnerOptions extends LambdaPoolOptions {
  /** The heap of a thread, instead of the heap limit of a run. Default 128. */
  readonly threadMebibytes?: number;
}

/**
 * A lambda runner without a security boundary, like node:vm itself: for hosts that write their own lambdas and want no native
 * module. Scripts run in threads of the host's process; a run that takes too long ends its thread. A thread can still exhaust the
 * memory of the process with one huge allocation, or block a core in a long built-in function. Some loops cannot be ended:
 * `for (;;) a.push(new Array(1000).fill(0))` runs past its deadline, takes a core and more and more memory, never returns and
 * blocks `close()`.
 * @throws TypeError when an option is wrong.
 */
export function nodeVmRunner(options: NodeVmRunnerOptions = {}): LambdaRunner {
  assertKnownOptions("", options, { ...poolOptionNames, threadMebibytes: "number" });
  const { threadMebibytes = 128, ...rest } = options;
  const pool = toPoolOptions(rest);
  checkInteger("threadMebibytes", threadMebibytes, [16, 1_048_576]);
  // A thread has no deadline of its own to wait for.
  const settings = { ...pool, graceMilliseconds: 0, guestMebibytes: Number.POSITIVE_INFINITY };
  const program = findPackageFile(import.meta.url, { source: "./guest.ts", built: "node-vm-guest.js" });
  return new LambdaPool(settings, (listener) => startGuestThread(program, threadMebibytes, listener));
}

const youngMebibytes = 16;
const stackMebibytes = 4;

/** Starts a thread with a limited heap, an empty environment and no visible output. */
function startGuestThread(program: URL, heapMebibytes: number, listener: GuestListener): GuestHandle {
  const { port1: port, port2 } = new MessageChannel();
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(program, {
    workerData: { port: port2, sent },
    transferList: [port2],
    env: {},
    execArgv: [],
    // The host must not read the output: that would keep the host alive.
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
      // The thread waits for this, not for messages.
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
