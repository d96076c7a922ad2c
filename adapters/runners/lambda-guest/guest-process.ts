import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { findPackageFile } from "latchkey/ports";
import { encodeFrames, type Frame, FrameReader, type GuestEnd, type GuestHandle, type GuestListener } from "./frames.js";

const maxFrameBytes = 67_108_864;
const keptErrorBytes = 4_096;
/** Of the operating system, for /proc: that of all architectures which V8 and Node's prebuilt files are made for here. */
const pageBytes = 4_096;

// If the machine runs out of memory, it is a guest that has to go. A core file of a bomb would fill the disk. The limit of data holds
// while the host's event loop stands still and nobody looks at the memory of its guests; a shell that knows none goes on.
const limitsOf = ({ dataMebibytes }: GuestProgram): string =>
  `ulimit -c 0; ${dataMebibytes === undefined ? "" : `ulimit -d ${dataMebibytes * 1_024} 2>/dev/null; `}{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$0" "$@"`;
const shell = "/bin/sh";
const memoryFiles = "/dev/shm";

/** The heap of a guest's own realm, which holds bodies and what is under way. */
const heapMebibytes = 128;

/** What a guest's process runs, and what it may read. */
export interface GuestProgram {
  /** The file that Node runs. */
  readonly file: string;
  readonly parameters: readonly string[];
  /** Flags of Node beside those that every guest has. */
  readonly flags: readonly string[];
  /** Files, and folders with `/*` at their ends. */
  readonly readable: readonly string[];
  /** The data that the kernel lets it have, used or not. Absent: without a limit, for an engine that reserves far more than it uses. */
  readonly dataMebibytes?: number;
}

/**
 * The file that runs as the guest of an adapter, whose module this is, and what it is made of.
 * @throws Error that says what to copy, where a bundler has left the guest behind.
 */
export function guestFiles(moduleUrl: string | undefined, adapter: string): Pick<GuestProgram, "file" | "readable"> {
  const program = findPackageFile(moduleUrl, { source: "./guest.ts", built: `${adapter}-guest.js` });
  const toPath = (path: string): string => fileURLToPath(new URL(path, program));
  const parts = program.pathname.endsWith(".ts") ? ["./*", "../lambda-guest/*"] : ["./*"];
  return { file: fileURLToPath(program), readable: parts.map(toPath) };
}

/**
 * Starts a process that holds nothing: no environment, no file but its own code, no handle but its pipes. Elsewhere than on Linux its
 * memory is limited by its heaps alone.
 */
export function startGuestProcess(program: GuestProgram, listener: GuestListener): GuestHandle {
  const parameters = [...flagsOf(program), program.file, ...program.parameters];
  const isLimited = process.platform === "linux" && existsSync(shell);
  const [command, ...rest] = isLimited
    ? [shell, "-c", limitsOf(program), process.execPath, ...parameters]
    : [process.execPath, ...parameters];
  const mark = openMark();
  const child = spawn(command ?? "", rest, {
    stdio: ["pipe", "ignore", "pipe", "pipe", mark],
    env: {},
    cwd: "/",
    windowsHide: true,
  });
  hear(child, listener, () => closeSync(mark));
  child.unref();
  for (const stream of child.stdio) (stream as { unref?(): void } | null)?.unref?.();
  return {
    send: sender(child),
    kill: () => void child.kill("SIGKILL"),
    runningCall: () => readMark(mark),
    residentBytes: () => readResidentBytes(child.pid),
  };
}

// Four bytes that both have open and nobody finds by a name, in memory where the system has files in it: they are written with each run.
function openMark(): number {
  const path = join(existsSync(memoryFiles) ? memoryFiles : tmpdir(), `latchkey-${randomUUID()}`);
  const mark = openSync(path, "wx+", 0o600);
  rmSync(path, { force: true });
  return mark;
}

function readMark(mark: number): number | undefined {
  const bytes = Buffer.alloc(4);
  return readSync(mark, bytes, 0, 4, 0) < 4 ? undefined : bytes.readUInt32LE();
}

function flagsOf({ flags, readable }: GuestProgram): string[] {
  return [
    `--max-old-space-size=${heapMebibytes}`,
    "--no-warnings",
    "--permission",
    ...flags,
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
}

/** Frames of one turn leave in one write. */
function sender(child: ChildProcess): (frame: Frame) => void {
  const collected: Frame[] = [];
  const flush = (): void => {
    const bytes = encodeFrames(collected);
    collected.length = 0;
    child.stdin?.write(bytes);
  };
  return (frame) => {
    if (collected.push(frame) === 1) queueMicrotask(flush);
  };
}

function hear(child: ChildProcess, listener: GuestListener, onGone: () => void): void {
  const reader = new FrameReader(maxFrameBytes);
  let errors = "";
  let failed: Error | undefined;
  const answers = child.stdio[3] as Duplex;
  answers.on("data", (chunk: Buffer) => {
    try {
      listener.onFrames(reader.push(chunk));
    } catch {
      child.kill("SIGKILL");
    }
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-keptErrorBytes);
  });
  // A guest that dies breaks its pipes; its end is reported once, by close.
  for (const stream of [child.stdin, child.stderr, answers]) stream?.on("error", () => {});
  child.on("error", (error) => {
    failed = error;
  });
  child.on("close", (code, signal) => {
    listener.onEnd({ ...toEnd(errors, failed, signal ?? `exit code ${code}`), isForeign: signal === "SIGKILL" });
    onGone();
  });
}

function toEnd(errors: string, failed: Error | undefined, how: string): GuestEnd {
  if (/out of memory|heap limit|bad_alloc|is_heap_oom = 1/i.test(errors))
    return { kind: "outOfMemory", message: "It needed too much memory." };
  // Of what the process wrote only the line that names an error: the rest is nobody's business who writes lambdas.
  const [reason] = /^(?:FATAL ERROR|\w*Error)\b.*$/m.exec(errors) ?? [failed?.message ?? how];
  return { kind: "crashed", message: `The engine ended: ${reason.slice(0, 200)}` };
}

function readResidentBytes(pid: number | undefined): number | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ");
    return Number(pages) * pageBytes;
  } catch {
    return undefined;
  }
}
