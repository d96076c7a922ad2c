import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/** The key that may do everything. */
export const globalKey = "the-key-of-everything-of-the-soak-0123456789";

/** What the server and a caller beside saw while a request was under way. Times are in ms. */
export interface Measured {
  readonly blockMs: number;
  /** How much of the block was work of the event loop's own thread: the rest is waiting, or other processes. */
  readonly blockCpuMs: number;
  readonly serviceMs: number;
  readonly cpuMs: number;
  readonly memoryMiB: number;
  readonly delayMs: number;
  /** Light requests beside that failed. */
  readonly failures: number;
}

/** A request as it is sent. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

/** An answer as the soak looks at it. */
export interface Answered {
  readonly status: number;
  readonly bytes: number;
  /** The beginning of the body. */
  readonly start: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** A server under the soak. */
export class RunningServer {
  readonly #child: ChildProcess;
  readonly #port: number;
  #probe: Worker | undefined;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#port = port;
  }

  /** Begins to ask for something light every 20 ms. */
  startProbe(path: string): void {
    const workerData = { port: this.#port, path, headers: { authorization: globalKey } };
    this.#probe = new Worker(new URL("probe.ts", import.meta.url), { workerData });
  }

  send({ headers, method, text, url }: Sent): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const body = text === undefined ? undefined : Buffer.from(text);
      const all = { ...headers, "x-soak": "1", ...(body && { "content-length": String(body.length) }) };
      const sent = request({ host: "127.0.0.1", port: this.#port, method, path: url, headers: all, agent }, (response) => {
        let [bytes, start] = [0, ""];
        response.on("data", (chunk: Buffer) => {
          if (bytes === 0) start = chunk.toString("utf8", 0, 300);
          bytes += chunk.length;
        });
        response.once("end", () => resolve({ status: response.statusCode ?? 0, bytes, start }));
      });
      sent.once("error", reject);
      sent.end(body);
    });
  }

  /** What was measured since the last call. */
  async measure(): Promise<Measured> {
    const measured = once(this.#child, "message");
    this.#child.send("measure");
    const [ofServer] = await measured;
    if (this.#probe === undefined) return { ...ofServer, delayMs: 0, failures: 0 };
    const asked = once(this.#probe, "message");
    this.#probe.postMessage("measure");
    const [{ failures, longestMs }] = await asked;
    return { ...ofServer, delayMs: longestMs, failures };
  }

  async stop(): Promise<void> {
    await this.#probe?.terminate();
    const ended = once(this.#child, "exit");
    this.#child.send("stop");
    await ended;
  }

  /** Ends the server at once. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

/** Starts a server and waits until it is filled. */
export async function startServer({ fill, url }: { readonly url: string; readonly fill?: number }): Promise<RunningServer> {
  const env = { ...process.env, SOAK_STORAGE: url, SOAK_KEY: globalKey, ...(fill !== undefined && { SOAK_FILL: String(fill) }) };
  const child = fork(fileURLToPath(new URL("server.ts", import.meta.url)), {
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The server ended.")));
  ended.catch(() => undefined);
  const [{ port }] = await Promise.race([once(child, "message"), ended]);
  return new RunningServer(child, port);
}
