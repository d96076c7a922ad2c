import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fromBench } from "./paths.ts";

export const core = { client: 0, server: 1 } as const;

/** Whether a process can have a core of its own. */
export const canPin: boolean = availableParallelism() > 1 && spawnSync("taskset", ["-c", "0", "true"]).status === 0;
const running = new Set<ChildProcess>();

process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  process.on(signal, () => process.exit(code));

export interface NodeProcess {
  readonly script: string;
  /** Undefined: any. */
  readonly core: number | undefined;
  readonly stdio: StdioOptions;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

// Our side of a race, with `--profile`.
const isProfiled = (script: string): boolean => process.env.BENCH_PROFILE !== undefined && script.includes("/subjects/");

const profiled = new WeakSet<ChildProcess>();
const begun = new WeakSet<ChildProcess>();

/** Begins to record what a server of ours does, with `--profile`; once. */
export const beginProfile = (child: ChildProcess): void => {
  if (!profiled.has(child) || begun.has(child)) return;
  begun.add(child);
  child.kill("SIGUSR2");
};

/** Starts a script on this very Node, on its own core where the system can pin, and ends it with this process. */
export const spawnNode = ({ script, core, stdio, env = {}, args = [] }: NodeProcess): ChildProcess => {
  const hook = isProfiled(script) ? ["--import", fromBench("profile/profile-child.ts")] : [];
  const program = [process.execPath, ...hook, script, ...args];
  const isPinned = canPin && core !== undefined;
  const [command = "", ...words] = isPinned ? ["taskset", "-c", String(core), ...program] : program;
  const child = spawn(command, words, { stdio, env: { ...process.env, NODE_ENV: "production", ...env } });
  running.add(child);
  if (hook.length > 0) profiled.add(child);
  // A worker begins by itself: it may get its first message before it listens to signals.
  if (hook.length > 0 && (child.channel || env.BENCH_PROFILE_FROM === "start")) begun.add(child);
  child.once("exit", () => running.delete(child));
  return child;
};

/** Kills the child and resolves once it is gone. */
export const endProcess = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    // A recorded process writes its profile first.
    child.kill(begun.has(child) ? "SIGTERM" : "SIGKILL");
  });

/** Ends all processes that still run. */
export const endProcesses = async (): Promise<void> => {
  await Promise.all([...running].map(endProcess));
};

/** Sends one message and resolves with the one answer; the child's exit rejects. */
export const ask = <Answer>(child: ChildProcess, question: object | string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error("a helper process of the benchmark ended unexpectedly"));
    child.once("exit", onExit);
    child.once("message", (answer) => {
      child.off("exit", onExit);
      resolve(answer as Answer);
    });
    // One that has ended before has no channel.
    child.send(question, (error) => error && reject(error));
  });
