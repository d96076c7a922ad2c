import { createRequire } from "node:module";
import type { ParseArgsOptionsConfig } from "node:util";

/** Where a command reads and writes. */
export interface Terminal {
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
  readonly env: Readonly<Record<string, string | undefined>>;
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

/** The terminal of this process. */
export function createTerminal(): Terminal {
  // The reader closed the pipe early, as `head` does.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    say: (line) => void process.stderr.write(`${line}\n`),
    during,
    isWatched: process.stderr.isTTY === true,
    status: (line) => void process.stderr.write(`\r\x1b[K${line}`),
    env: process.env,
  };
}

const quickMs = 500;

// Nothing is said of what is quick, nor where nobody watches.
async function during<T>(what: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  const began = Date.now();
  const clock = setInterval(() => {
    process.stderr.write(`\r${what} … ${Math.round((Date.now() - began) / 1_000)} s`);
  }, quickMs);
  try {
    return await work;
  } finally {
    clearInterval(clock);
    if (Date.now() - began >= quickMs) process.stderr.write(`\r${" ".repeat(what.length + 12)}\r`);
  }
}
