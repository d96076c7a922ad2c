import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** `examples/server.ts` as a process of its own. */
export interface RunningServer extends AsyncDisposable {
  readonly port: number;
  /** What it has printed so far, line by line. */
  readonly printed: readonly string[];
  /** What it has written to standard error. */
  readonly complaints: () => string;
  /** Asks it to end; resolves with its exit code, or with the signal that ended it. */
  readonly stop: () => Promise<number | string>;
}

/** Starts it in a stage's directory and waits until it listens. `PORT` is a free one. @throws Error when it ends before. */
export async function startServer(directory: string, env: Readonly<Record<string, string>>): Promise<RunningServer> {
  const child = spawn(process.execPath, ["examples/server.ts"], { cwd: directory, env: { PORT: "0", ...env } });
  const printed: string[] = [];
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += String(text);
  });
  const exit = once(child, "close");
  const ready = new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      printed.push(line);
      const port = /^ready http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    void exit.then(([code]) => reject(new Error(`The server ended with ${code} before it was ready: ${errors}`)));
  });
  const port = await ready;
  return {
    port,
    printed,
    complaints: () => errors,
    stop: () => stop(child, exit),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}

async function stop(child: ChildProcess, exit: Promise<unknown[]>): Promise<number | string> {
  child.kill("SIGTERM");
  const [code, signal] = await exit;
  return (code ?? signal) as number | string;
}
