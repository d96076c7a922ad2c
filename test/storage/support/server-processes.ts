import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Where a server finds its database, and the key that it knows. */
export interface ServerSettings {
  readonly url: string;
  readonly schema: string;
  readonly apiKey: string;
}

/** What a server is told while it serves. */
export type ServerCommand = { readonly advanceMs: number } | { readonly lambdaId: string };

/** An answer: its status, and its body if it is JSON. */
export interface ServerAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A service in a process of its own. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #apiKey: string;
  readonly #port: number;

  private constructor(child: ChildProcess, apiKey: string, port: number) {
    this.#child = child;
    this.#apiKey = apiKey;
    this.#port = port;
  }

  static async start(settings: ServerSettings): Promise<ServerProcess> {
    const execArgv = ["--import", new URL("./resolve-sources.ts", import.meta.url).href];
    const child = fork(at("./server-process.ts"), { execArgv, env: {}, stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.send(settings);
    const [answer] = await once(child, "message");
    if (answer.port === undefined) throw new Error(`The server did not start: ${answer.failure}`);
    return new ServerProcess(child, settings.apiKey, answer.port);
  }

  /** Calls the API, with another key if one is given. Rejects when the server is gone. */
  async call(method: string, path: string, body?: object, apiKey: string = this.#apiKey): Promise<ServerAnswer> {
    const headers = { authorization: apiKey, "content-type": "application/json" };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, request);
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : {} };
  }

  /** The claims that a lambda makes of none. */
  async runLambda(lambdaId: string): Promise<unknown> {
    this.#child.send({ lambdaId });
    const [answer] = await once(this.#child, "message");
    return answer.jwt;
  }

  /** Sets its clock on. */
  advance(advanceMs: number): void {
    this.#child.send({ advanceMs });
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }
}
