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
/** The page size in /proc, on all architectures with prebuilt files of V8 and Node. */
const pageBytes = 4_096;

// When the machine runs out of memory, the kernel kills a guest first. Core files would fill the disk. The data limit works even
// while the host's event loop is blocked; a shell without `ulimit -d` continues.
const limitsOf = ({ dataMebibytes }: GuestProgram): string =>
  `ulimit -c 0; ${dataMebibytes === undefined ? "" : `ulimit -d ${dataMebibytes * 1_024} 2>/dev/null; `}{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$0" "$@"`;
const shell = "/bin/sh";
const memoryFiles = "/dev/shm";

/** The heap of the guest's own realm, which holds bodies and pending data. */
const heapMebibytes = 128;

/** The program of a guest's process and the files that it may read. */
export interface GuestProgram {
  readonly file: string;
  readonly parameters: readonly string[];
  /** Node flags in addition to those of every guest. */
  readonly flags: readonly string[];
  /** Files, and folders with `/*` at the end. */
  readonly readable: readonly string[];
  /** The kernel's data limit, used or not. Absent: no limit, for an engine that reserves far more than it uses. */
  readonly dataMebibytes?: number;
}

/**
 * Returns the guest file of an adapter's module, and the files that it needs.
 * @throws Error that names the files to copy, when a bundler has left out the guest.
 */
export function guestFiles(moduleUrl: string | undefined, adapter: string): Pick<GuestProgram, "file" | "readable"> {
  const program = findPackageFile(moduleUrl, { source: "./guest.ts", built: `${adapter}-guest.js` });
  const toPath = (path: string): string => fileURLToPath(new URL(path, program));
  const parts = program.pathname.endsWith(".ts") ? ["./*", "../lambda-guest/*"] : ["./*"];
  return { file: fileURLToPath(program), readable: parts.map(toPath) };
}

/**
 * Starts a process without privileges: no environment, no files but its own code, no handles but its pipes. On systems other than
 * Linux, only the heaps limit its memory.
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

// Four bytes in an unnamed file that both processes have open, in memory where possible: every run writes them.
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

/** Sends all frames of one turn in one write. */
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
  // A dying guest breaks its pipes; `close` reports its end once.
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
  // Authors of lambdas may see only the line with the error.
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
