import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import type { Stage } from "../blackbox/support/stage.js";
import type { Run } from "./support.js";

/** A function that runs the built command line of a stage in a directory, as a process of its own. */
export function processRunnerIn(stage: () => Stage, directory: () => string): Run {
  return async (args, { input = "", env = {} } = {}) => {
    const child = spawn(process.execPath, [`${stage().directory}/dist/cli.js`, ...args], { cwd: directory(), env });
    // A command that reads nothing may have ended before.
    child.stdin.on("error", () => undefined).end(input);
    const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
    const [[code], printed, said] = await ended;
    return { code, printed, said };
  };
}

/** A program that runs until it is stopped. */
export interface RunningProcess {
  /** What it has printed, up to and with the first line that matches. */
  readonly lines: readonly string[];
  /** Stops it by a signal; returns the exit code. */
  readonly stop: (signal: "SIGINT" | "SIGTERM") => Promise<number | null>;
}

/** Starts a program of Node that ends with the test at the latest, and waits until it prints a line that matches. */
export async function startProcess(
  args: readonly string[],
  { cwd, env = {}, last = /^/ }: { readonly cwd: string; readonly env?: Record<string, string>; readonly last?: RegExp },
): Promise<RunningProcess> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (last.test(line)) break;
  }
  return { lines, stop: (signal) => stop(child, signal) };
}

async function stop(child: ChildProcess, signal: "SIGINT" | "SIGTERM"): Promise<number | null> {
  const ended = once(child, "exit");
  child.kill(signal);
  const [code] = await ended;
  return code;
}

/** Runs the commands of a page in a directory, with the command line of a stage as `latchkey`. */
export async function runPage(
  { stage, directory, env = {} }: { readonly stage: Stage; readonly directory: string; readonly env?: Record<string, string> },
  commands: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const command = join(directory, "latchkey");
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${stage.directory}/dist/cli.js" "$@"\n`);
  await chmod(command, 0o755);
  const surroundings = { cwd: directory, env: { PATH: `${directory}:/usr/bin:/bin`, ...env } };
  return promisify(execFile)("sh", ["-uc", commands], surroundings);
}
