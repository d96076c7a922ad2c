import { once } from "node:events";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { ParseArgsOptionsConfig } from "node:util";

/** Environment variables by their names. */
type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line uses of its process. Tests pass streams and a directory of their own. */
export interface ProcessContext {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Environment;
  /** The directory that relative paths start from. */
  readonly cwd: string;
  /** Resolves when a command that runs until it is stopped has to end. Called by such commands only. */
  readonly untilStopped: () => Promise<unknown>;
}

/** Where a command reads and writes. */
export interface Terminal {
  /** Standard input. */
  readonly input: Readable;
  /** Writes a chunk of a long answer to standard output; resolves when there is room for the next one. */
  readonly write: (chunk: string | Uint8Array) => Promise<void>;
  /** Writes a line to standard output: what was asked for. */
  readonly print: (line: string) => void;
  /** Writes a line to standard error: what is said about it. */
  readonly say: (line: string) => void;
  /** Does work, and says that it goes on while somebody watches. */
  readonly during: <T>(what: string, work: Promise<T>) => Promise<T>;
  /** Whether somebody watches standard error. */
  readonly isWatched: boolean;
  /** Replaces the last line of standard error, where somebody watches; an empty text takes it away. */
  readonly status: (line: string) => void;
  readonly env: Environment;
  /** The absolute path of a file that the user names. */
  readonly resolve: (path: string) => string;
  /** Resolves when the user stops the command. */
  readonly untilStopped: () => Promise<unknown>;
}

/** What a command was called with. */
export interface CommandCall {
  readonly terminal: Terminal;
  readonly positionals: readonly string[];
  /** A flag that takes a value. */
  readonly text: (name: string) => string | undefined;
  /** A flag that takes several, by repetition or with commas. */
  readonly list: (name: string) => readonly string[] | undefined;
  readonly flag: (name: string) => boolean;
}

/** One command of the command line. */
export interface Command {
  readonly summary: string;
  /** Behind the command's name. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** Describes each option, and further usage. */
  readonly help: readonly string[];
  /** Answers the exit code. */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** The exit codes: all is well, something is wrong; with `--detailed-exitcode` there is something to change; some rows of an import failed. */
export const exitCodes = { fine: 0, wrong: 1, changes: 2, rowsFailed: 2 } as const;

/** Something that the caller of a command has to put right: its message is all there is to say. */
export class UsageError extends Error {}

/** The options of all commands that open a service. */
export const serviceOptions: ParseArgsOptionsConfig = { database: { type: "string" }, module: { type: "string" } };

/** What is said of them. */
export const serviceHelp: readonly string[] = [
  "--database <url>          memory:, sqlite:FILE or postgres://… (DATABASE_URL, else sqlite:latchkey.db)",
  "--module <file>           a module that exports a service, its options, or a function that answers either",
  "",
  "LATCHKEY_SECRET opens what the database keeps sealed; with sqlite:FILE the default is what FILE.secret holds.",
];

/** What the package says of itself. */
export interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** The `package.json` of the package. */
export function readManifest(): Manifest {
  return createRequire(import.meta.url)("latchkey/package.json");
}

/** Foreign text for a terminal: what would move a cursor or change a color is escaped. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The terminal of a command that runs in a process, or in place of one. */
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

// Nothing is said of what is quick.
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
