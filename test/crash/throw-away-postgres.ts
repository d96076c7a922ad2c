import { execFile, execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A Postgres server of its own, which can be made to crash. */
export interface ThrowAwayPostgres {
  readonly url: string;
  /** Ends it at once, as a crash would, and starts it again; resolves when it has recovered. */
  restart(): Promise<void>;
  /** Ends it and removes all it kept. */
  remove(): void;
}

const run = promisify(execFile);

/** Who runs Postgres, which does not run as root. */
export function findUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** The folder of the programs of Postgres. @throws Error when there is none. */
export function findPrograms(): string {
  const folders = [...globSync("/usr/lib/postgresql/*/bin"), ...globSync("/opt/homebrew/opt/postgresql@*/bin")];
  const folder = [...folders, ...(process.env.PATH ?? "").split(":")].find((one) => existsSync(join(one, "initdb")));
  if (folder === undefined) throw new Error("There is no initdb: install a Postgres server.");
  return folder;
}

/** A port of the loopback address that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return typeof address === "object" ? Number(address?.port) : 0;
}

/** Makes and starts a server on the loopback address. */
export async function startThrowAwayPostgres(port: number): Promise<ThrowAwayPostgres> {
  const programs = findPrograms();
  const user = findUser();
  const folder = mkdtempSync(join(tmpdir(), "latchkey-postgres-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  const data = join(folder, "data");
  const control = (...words: string[]): string[] => ["--pgdata", data, "--wait", "--silent", ...words];
  await run(
    join(programs, "initdb"),
    ["--pgdata", data, "--encoding", "UTF8", "--auth", "trust", "--username", "latchkey"],
    options,
  );
  const settings = `-h 127.0.0.1 -p ${port} -k ${folder}`;
  const start = ["--log", join(folder, "log"), "--options", settings];
  await run(join(programs, "pg_ctl"), control(...start, "start"), options);
  return {
    url: `postgres://latchkey@127.0.0.1:${port}/postgres`,
    restart: async () => void (await run(join(programs, "pg_ctl"), control(...start, "--mode", "immediate", "restart"), options)),
    remove: () => {
      spawnSync(join(programs, "pg_ctl"), control("--mode", "immediate", "stop"), options);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
