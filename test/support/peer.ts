import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished, type TestContext } from "vitest";

/** What a package exports that may not be there, and is typed by whoever asks; undefined without it. */
export async function importPeer<Exports>(name: string): Promise<Exports | undefined> {
  return import(/* @vite-ignore */ name).catch((error: { readonly code?: string }) => {
    if (error.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  });
}

/** Skips a test for want of a peer, and says so whatever the reporter shows. */
export function skipWithout(context: TestContext, what: string): never {
  console.info(`skipped: ${context.task.name}: ${what} not installed`);
  return context.skip(`${what} not installed`);
}

/** Starts a server for one test and waits until its output says `ready`; answers what it matched, or undefined where there is no such server. */
export async function startPeer(command: string, args: readonly string[], ready: RegExp): Promise<RegExpExecArray | undefined> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => stop(child));
  return new Promise((resolve, reject) => {
    let output = "";
    child.on("error", (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? resolve(undefined) : reject(error)));
    child.on("exit", (code) => reject(new Error(`${command} ended with ${code}: ${output.slice(-500)}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const match = ready.exec(output);
        if (match !== null) resolve(match);
      });
  });
}

function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.removeAllListeners("exit").once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
