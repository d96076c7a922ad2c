import { once } from "node:events";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { ParseArgsOptionsConfig } from "node:util";

type Environment = Readonly<Record<string, string | undefined>>;

/** The process as the command line uses it. Tests pass their own streams and directory. */
export interface ProcessContext {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Environment;
  /** The directory that relative paths start from. */
  readonly cwd: string;
  /** Resolves when a long-running command must stop. Only such commands call it. */
  readonly untilStopped: () => Promise<unknown>;
}

/** The input and output of a command. */
export interface Terminal {
  readonly input: Readable;
  /** Writes a chunk of a long result to standard output; resolves when there is room for the next one. */
  readonly write: (chunk: string | Uint8Array) => Promise<void>;
  /** Writes a line of the result to standard output. */
  readonly print: (line: string) => void;
  /** Writes a message to standard error. */
  readonly say: (line: string) => void;
  /** Awaits work and shows on a terminal that it continues. */
  readonly during: <T>(what: string, work: Promise<T>) => Promise<T>;
  /** Whether standard error is a terminal. */
  readonly isWatched: boolean;
  /** Replaces the last line of standard error on a terminal; an empty text removes it. */
  readonly status: (line: string) => void;
  readonly env: Environment;
  /** Resolves a path from the user to an absolute one. */
  readonly resolve: (path: string) => string;
  /** Resolves when the user stops the command. */
  readonly untilStopped: () => Promise<unknown>;
}

/** The arguments of a command. */
export interface CommandCall {
  readonly terminal: Terminal;
  readonly positionals: readonly string[];
  /** The value of an option with one value. */
  readonly text: (name: string) => string | undefined;
  /** The values of an option that is repeated or has commas. */
  readonly list: (name: string) => readonly string[] | undefined;
  readonly flag: (name: string) => boolean;
}

/** One command of the command line. */
export interface Command {
  readonly summary: string;
  /** The arguments after the command's name. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** Describes each option, and further usage. */
  readonly help: readonly string[];
  /** Returns the exit code. */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** Exit codes: success; failure; with `--detailed-exitcode`, pending changes; some rows of an import failed. */
export const exitCodes = { fine: 0, wrong: 1, changes: 2, rowsFailed: 2 } as const;

/** An error that the user must correct. Only its message is shown. */
export class UsageError extends Error {}

/** The options of all commands that open a service. */
export const serviceOptions: ParseArgsOptionsConfig = { database: { type: "string" }, module: { type: "string" } };

/** The help for these options. */
export const serviceHelp: readonly string[] = [
  "--database <url>          memory:, sqlite:FILE or postgres://… (DATABASE_URL, else sqlite:latchkey.db)",
  "--module <file>           a module that exports a service, its options, or a function that answers either",
  "",
  "LATCHKEY_SECRET opens what the database keeps sealed; with sqlite:FILE the default is what FILE.secret holds.",
];

/** The part of the package's manifest that is used. */
export interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** The `package.json` of the package. */
export function readManifest(): Manifest {
  return createRequire(import.meta.url)("latchkey/package.json");
}

/** Escapes control characters in foreign text, which could move the cursor or change a color. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The terminal of a command, in its own process or within another one. */
export function createTerminal({ cwd, env, stderr, stdin, stdout, untilStopped }: ProcessContext): Terminal {
  // The reader closed the pipe early, as `head` does.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    input: stdin,
    write: async (chunk) => {
      if (!stdout.write(chunk)) await once(stdout, "drain");
    },
    print: (line) => void stdout.write(`${line}\n`),
    say: (line) => void stderr.write(`${line}\n`),
    during: (what, work) => (stderr.isTTY === true ? showWork(stderr, what, work) : work),
    isWatched: stderr.isTTY === true,
    status: (line) => void stderr.write(`\r\x1b[K${line}`),
    env,
    resolve: (path) => resolve(cwd, path),
    untilStopped,
  };
}

const quickMs = 500;

// Quick work shows nothing.
async function showWork<T>(stderr: Writable, what: string, work: Promise<T>): Promise<T> {
  const began = Date.now();
  const clock = setInterval(() => {
    stderr.write(`\r${what} … ${Math.round((Date.now() - began) / 1_000)} s`);
  }, quickMs);
  try {
    return await work;
  } finally {
    clearInterval(clock);
    if (Date.now() - began >= quickMs) stderr.write(`\r${" ".repeat(what.length + 12)}\r`);
  }
}
