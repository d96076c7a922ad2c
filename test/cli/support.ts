import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import type { Stage } from "../blackbox/support/stage.js";

/** How a command ended, and what it wrote. */
export interface Ended {
  readonly code: number;
  readonly printed: string;
  readonly said: string;
}

/** Runs the command line as a process of its own. */
export type Run = (
  args: readonly string[],
  options?: { readonly input?: string; readonly env?: Record<string, string> },
) => Promise<Ended>;

/** A function that runs the command line of a stage in a directory. */
export function runnerIn(stage: () => Stage, directory: () => string): Run {
  return async (args, { input = "", env = {} } = {}) => {
    const child = spawn(process.execPath, [`${stage().directory}/dist/cli.js`, ...args], { cwd: directory(), env });
    // A command that reads nothing may have ended before.
    child.stdin.on("error", () => undefined).end(input);
    const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
    const [[code], printed, said] = await ended;
    return { code, printed, said };
  };
}

/** Runs commands of a page in a directory. */
export async function shellIn(
  directory: string,
  commands: string,
  env: Record<string, string>,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return promisify(execFile)("sh", ["-uc", commands], { cwd: directory, env });
}
