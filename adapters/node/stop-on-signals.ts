import type { Server } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { assertKnownOptions } from "latchkey";
import { ServerDrain } from "./drain.js";

/** Options of {@link stopOnSignals}. */
export interface StopOptions {
  /** Limit of the whole shutdown in milliseconds: 20,000. Requests have a quarter of it. */
  readonly timeoutMs?: number;
  /** Receives a line when the shutdown cuts something off. Default: standard error. */
  readonly log?: (message: string) => void;
}

/**
 * Shuts the process down gracefully at SIGTERM and SIGINT: the server takes no new connection and answers the requests under
 * way, `close` runs, such as `() => identity.close()`, and the process exits with 0. If `close` fails or exceeds the limit, the
 * process logs one line and exits with 1. Call it before the server has connections.
 */
export function stopOnSignals(server: Server | HttpsServer, close: () => PromiseLike<unknown>, options: StopOptions = {}): void {
  assertKnownOptions("", options, { timeoutMs: "number", log: "function" });
  const { timeoutMs = 20_000, log = console.error } = options;
  const drain = new ServerDrain(server);
  const exit = (message: string): void => {
    log(message);
    process.exit(1);
  };
  const stop = async (): Promise<void> => {
    setTimeout(() => exit(`The shutdown took more than ${timeoutMs / 1000} s: the process ends without it.`), timeoutMs);
    const cut = await drain.run(timeoutMs / 4);
    if (cut > 0) log(`The shutdown cut off requests that took more than ${timeoutMs / 4000} s: ${cut}.`);
    await close();
    process.exit(0);
  };
  let isStopping = false;
  // Repeated signals are ignored: a terminal and npm both send one.
  const stopOnce = (): void => {
    if (isStopping) return;
    isStopping = true;
    stop().catch((error: Error) => exit(`The shutdown failed: ${error.message}`));
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stopOnce);
}
