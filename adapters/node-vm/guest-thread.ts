import { MessageChannel, Worker } from "node:worker_threads";
import type { Frame } from "../lambda-guest/frames.js";
import type { GuestEnd, GuestHandle, GuestListener } from "../lambda-guest/guest-port.js";

// From source, Node strips the types itself; the published guest stands beside the bundle that holds this module.
const guestFile = new URL(import.meta.url.endsWith(".ts") ? "./guest.ts" : "./node-vm-guest.js", import.meta.url);

const youngMebibytes = 16;
const stackMebibytes = 4;

/** Starts a thread whose heap is limited. It has no environment, and what it prints is seen by nobody. */
export function startGuestThread(heapMebibytes: number, listener: GuestListener): GuestHandle {
  const { port1: port, port2 } = new MessageChannel();
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(guestFile, {
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
