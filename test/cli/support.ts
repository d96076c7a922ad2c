import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { createTerminal, type Terminal } from "../../adapters/cli/command/command.js";
import { run } from "../../adapters/cli/run.js";
import { quickFolder } from "../support/temporary.js";

/** How a command ended, and what it wrote. */
export interface Ended {
  readonly code: number;
  readonly printed: string;
  readonly said: string;
}

/** Runs a command to its end. */
export type Run = (
  args: readonly string[],
  options?: { readonly input?: string; readonly env?: Record<string, string> },
) => Promise<Ended>;

const never = (): Promise<never> => new Promise(() => undefined);

/** A function that runs the command line in this process, as if in a directory. */
export function runnerIn(directory: () => string): Run {
  return async (args, { input = "", env = {} } = {}) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const written = Promise.all([text(stdout), text(stderr)]);
    const stdin = Readable.from([Buffer.from(input)]);
    const code = await run(args, { stdin, stdout, stderr, env, cwd: directory(), untilStopped: never });
    stdout.end();
    stderr.end();
    const [printed, said] = await written;
    return { code, printed, said };
  };
}

/** A terminal of which nothing is read. */
export function makeTerminal(): Terminal {
  const [stdout, stderr] = [new PassThrough().resume(), new PassThrough().resume()];
  return createTerminal({ stdin: Readable.from([]), stdout, stderr, env: {}, cwd: quickFolder, untilStopped: never });
}

/** A command that runs until it is stopped. */
export interface Running {
  /** The lines that it prints, up to and with the first one that matches. */
  readonly read: (last?: RegExp) => Promise<readonly string[]>;
  /** Stops it; returns the exit code. */
  readonly stop: () => Promise<number>;
}

/** Starts a command in this process that runs until it is stopped, or the test ends. */
export function startIn(directory: string, args: readonly string[]): Running {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const ended = run(args, { stdin: Readable.from([]), stdout, stderr, env: {}, cwd: directory, untilStopped: () => stopped });
  // Without the lines that were waited for, the test fails on those that came.
  void ended.finally(() => stdout.end());
  onTestFinished(async () => {
    stop();
    await ended;
  });
  return {
    read: async (last = /^/) => {
      const lines: string[] = [];
      for await (const line of createInterface(stdout)) {
        lines.push(line);
        if (last.test(line)) break;
      }
      return lines;
    },
    stop: () => {
      stop();
      return ended;
    },
  };
}

/** Makes a directory in which `latchkey migrate` has run once: its files are copied, since that takes longer than most commands. */
export async function makeMigrated(): Promise<string> {
  files ??= migrate();
  const directory = await makeEmpty();
  for (const [name, bytes] of await files) await writeFile(join(directory, name), bytes, { mode: 0o600 });
  return directory;
}

/** Makes an empty directory. */
export function makeEmpty(): Promise<string> {
  return mkdtemp(join(quickFolder, "latchkey-cli-"));
}

let files: Promise<ReadonlyMap<string, Buffer>> | undefined;

async function migrate(): Promise<ReadonlyMap<string, Buffer>> {
  const directory = await makeEmpty();
  const { code, said } = await runnerIn(() => directory)(["migrate"]);
  if (code !== 0) throw new Error(said);
  const names = ["latchkey.db", "latchkey.db.secret"];
  const read = await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const));
  await rm(directory, { recursive: true });
  return new Map(read);
}
