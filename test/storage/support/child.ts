import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * What a child process can be asked to do; see worker.ts. A place is the name of a SQLite file, or the URL of a Postgres database
 * with the schema as its fragment.
 */
export type Command =
  | { readonly kind: "open"; readonly place: string; readonly label: string }
  | { readonly kind: "increment"; readonly place: string; readonly label: string; readonly times: number }
  | { readonly kind: "write"; readonly place: string; readonly prefix: string };

/** What a child process answers. */
export type Answer =
  | { readonly kind: "ready" | "done" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "written"; readonly label: string };

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Starts a process that can be sent commands, and waits until it is ready. */
export async function startChild(): Promise<ChildProcess> {
  const child = fork(at("./worker.ts"), {
    execArgv: ["--import", new URL("./resolve-sources.ts", import.meta.url).href],
    env: {},
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await answerOf(child);
  return child;
}

/** Sends a command and waits until it is done. */
export async function tell(child: ChildProcess, command: Command): Promise<void> {
  const answer = answerOf(child);
  child.send(command);
  const { kind, message } = { message: "", ...(await answer) };
  if (kind !== "done") throw new Error(`The child process has ${kind}: ${message}`);
}

/** Ends a child process at once, as a crash would, and waits until it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

/** Lets a process write until it has acknowledged a number of writes, kills it, and answers all that it acknowledged. */
export async function writeAndKill(place: string, prefix: string, writes: number): Promise<readonly string[]> {
  const child = await startChild();
  const written: string[] = [];
  const isEnough = Promise.withResolvers<void>();
  child.on("message", (answer: Answer) => {
    if (answer.kind === "failed") isEnough.reject(new Error(answer.message));
    if (answer.kind === "written" && written.push(answer.label) >= writes) isEnough.resolve();
  });
  child.send({ kind: "write", place, prefix });
  try {
    await isEnough.promise;
  } finally {
    await kill(child);
  }
  return written;
}

function answerOf(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve) => {
    const settle = (answer: Answer): void => {
      child.off("message", settle).off("exit", onExit);
      resolve(answer);
    };
    const onExit = (code: number | null): void => settle({ kind: "failed", message: `It exited with ${code}.` });
    child.on("message", settle).on("exit", onExit);
  });
}
