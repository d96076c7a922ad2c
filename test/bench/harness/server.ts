import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ServerSide } from "../goals.ts";
import { dataDirectory, fromBench } from "./paths.ts";
import { beginProfile, core, endProcess, spawnNode } from "./processes.ts";

/** A server that has said it is ready. */
export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  readonly ids: readonly string[];
  readonly credential: string;
  stop(): Promise<void>;
}

type Announcement = Pick<RunningServer, "port" | "ids" | "credential">;

const startTimeoutMs = 180_000;

const readAnnouncement = (child: ChildProcess, label: string): Promise<Announcement> =>
  new Promise((resolve, reject) => {
    let errors = "";
    let ids: string[] = [];
    const fail = (reason: string): void => reject(new Error(`${label} ${reason}\n${errors}`));
    const timer = setTimeout(() => fail("did not become ready"), startTimeoutMs);
    child.once("exit", (code) => {
      clearTimeout(timer);
      fail(`ended with ${code} before it was ready`);
    });
    child.stderr?.on("data", (text) => {
      errors = (errors + text).slice(-2_000);
    });
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [word, ...rest] = line.split(" ");
      if (word === "ids") ids = String(rest[0]).split(",");
      if (word !== "ready") return;
      const [origin, id, credential] = rest.map((part) => decodeURIComponent(part));
      clearTimeout(timer);
      resolve({
        port: Number(new URL(String(origin)).port),
        ids: ids.length > 0 ? ids : [String(id)],
        credential: String(credential),
      });
    });
  });

/** Starts one side of a race in its own process, with a directory of its own that goes when it stops. */
export const startServer = async (side: ServerSide): Promise<RunningServer> => {
  const directory = mkdtempSync(join(dataDirectory(), "server-"));
  const env = { ...side.env, BENCH_DIR: directory };
  const child = spawnNode({
    script: fromBench(side.script),
    core: side.isUnpinned ? undefined : core.server,
    stdio: ["ignore", "pipe", "pipe"],
    env,
  });
  const stop = async (): Promise<void> => {
    await endProcess(child);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const announced = await readAnnouncement(child, side.label);
    beginProfile(child);
    return { ...announced, pid: Number(child.pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
