import { execFile, spawnSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort, findPrograms, findUser } from "../throw-away-postgres.ts";

const run = promisify(execFile);

/** A Postgres server on the loopback address. Its name is what its primary knows it by. */
export interface Server {
  readonly name: string;
  readonly port: number;
  readonly data: string;
}

/** Where a server is reached. */
export function urlOf({ port }: Pick<Server, "port">): string {
  return `postgres://latchkey@127.0.0.1:${port}/postgres`;
}

/** A Postgres primary and the standbys that stream from it. */
export class PostgresServers {
  /** Where the servers are, and what belongs to them. */
  readonly folder: string = mkdtempSync(join(tmpdir(), "latchkey-topology-"));
  /** Who runs the servers. */
  readonly user: ReturnType<typeof findUser> = findUser();
  readonly #programs = findPrograms();
  #all: readonly Server[] = [];
  readonly #started = new Set<Server>();

  private constructor() {
    this.own(this.folder);
  }

  /** Starts a primary, `a`, and standbys of these names. */
  static async start(standbys: readonly string[]): Promise<PostgresServers> {
    const servers = new PostgresServers();
    await servers.#startPrimary();
    for (const name of standbys) await servers.startStandby(name);
    return servers;
  }

  get primary(): Server {
    return this.#all[0] as Server;
  }

  /** In the order in which they were started. */
  get standbys(): readonly Server[] {
    return this.#all.slice(1);
  }

  async startStandby(name: string): Promise<void> {
    const server = await this.#newServer(name);
    const from = `host=127.0.0.1 port=${this.primary.port} user=latchkey application_name=${name}`;
    await this.#run("pg_basebackup", "--pgdata", server.data, "--dbname", from, "-R", "-X", "stream", "--checkpoint=fast");
    await this.start(server);
    this.#all = [...this.#all, server];
    await this.waitForStandbys();
  }

  /** Waits until all standbys stream. */
  async waitForStandbys(): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      const text = "select count(*) from pg_stat_replication where state = 'streaming'";
      if (Number(await this.query(text)) >= this.standbys.length) return;
      await pause(100);
    }
    throw new Error("A standby does not follow the primary.");
  }

  /** Makes a standby the primary of those that come. The others are gone. */
  async promote(server: Server): Promise<void> {
    await this.#control(server, "promote");
    this.#all = [server];
  }

  /** Starts a server that was stopped. */
  async start(server: Server): Promise<void> {
    this.#started.add(server);
    await this.#control(server, "--log", join(server.data, "log"), "--options", `-p ${server.port}`, "start");
  }

  /** Ends a server as a crash would. */
  async stop(server: Server): Promise<void> {
    await this.#control(server, "--mode", "immediate", "stop");
  }

  /** What a statement answers on a server, by default the primary. */
  query(text: string, { port }: Server = this.primary): Promise<string> {
    return this.#run("psql", "-h", "127.0.0.1", "-p", String(port), "-U", "latchkey", "-d", "postgres", "-Atqc", text);
  }

  /** The id of the process that began the others of a server. */
  postmaster({ data }: Server): string {
    const [id = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    return id;
  }

  /** Lets the user of the servers have a file. */
  own(path: string): void {
    if (this.user.uid !== undefined && this.user.gid !== undefined) chownSync(path, this.user.uid, this.user.gid);
  }

  /** Ends everything and removes all files. */
  remove(): void {
    for (const { data } of this.#started)
      spawnSync(join(this.#programs, "pg_ctl"), ["--pgdata", data, "--mode", "immediate", "stop"], { ...this.user, cwd: "/tmp" });
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #startPrimary(): Promise<void> {
    const server = await this.#newServer("a");
    await this.#run("initdb", "--pgdata", server.data, "--encoding", "UTF8", "--auth", "trust", "--username", "latchkey");
    appendFileSync(
      join(server.data, "postgresql.conf"),
      `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nwal_keep_size = '256MB'\nmax_connections = 60\n`,
    );
    await this.start(server);
    this.#all = [server];
  }

  async #newServer(name: string): Promise<Server> {
    const data = join(this.folder, `${name}-${Date.now()}`);
    mkdirSync(data, { mode: 0o700 });
    this.own(data);
    return { name, port: await findFreePort(), data };
  }

  async #control(server: Server, ...words: readonly string[]): Promise<void> {
    await this.#run("pg_ctl", "--pgdata", server.data, "--wait", "--silent", ...words);
  }

  async #run(program: string, ...words: readonly string[]): Promise<string> {
    const options = { ...this.user, cwd: this.folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
    return (await run(join(this.#programs, program), words, options)).stdout;
  }
}
