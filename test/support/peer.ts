import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished, test } from "vitest";

/**
 * Declares a test that needs a server. It runs only with TEST_PEERS, which `.ci/run` sets after installing the servers, and fails
 * if its server is missing.
 */
export const testWithPeer: (name: string, run: () => Promise<void>) => void =
  process.env.TEST_PEERS === "1" ? (name, run) => test(name, run) : () => undefined;

/** The exports of a package, typed by the caller. */
export async function importPeer<Exports>(name: string): Promise<Exports> {
  return import(/* @vite-ignore */ name);
}

/** Starts a server for one test and waits until its output matches `ready`; returns the match. */
export async function startPeer(command: string, args: readonly string[], ready: RegExp): Promise<RegExpExecArray> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => stop(child));
  return new Promise((resolve, reject) => {
    let output = "";
    child.on("error", reject);
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
