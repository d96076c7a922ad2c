import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fromBench } from "./paths.ts";
import { core, spawnNode } from "./processes.ts";

/** A receiver in a process of its own, on the core of the clients. */
export interface RunningSink {
  readonly url: string;
  readonly process: ChildProcess;
}

/** Starts a receiver that answers with `status`. It ends with this process. */
export const startSink = async (status = 200): Promise<RunningSink> => {
  const child = spawnNode({
    script: fromBench("harness/sink.ts"),
    core: core.client,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { BENCH_STATUS: String(status) },
  });
  const [message] = await once(child, "message");
  return { url: (message as { readonly url: string }).url, process: child };
};
