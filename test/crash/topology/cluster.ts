import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "../throw-away-postgres.ts";
import { PostgresServers, type Server } from "./postgres-servers.ts";

/** A Postgres primary, standbys and PgBouncer in front, on the loopback address. */
export class Cluster {
  readonly #servers: PostgresServers;
  readonly #poolerPort: number;
  #pooler: ChildProcess | undefined;

  private constructor(servers: PostgresServers, poolerPort: number) {
    this.#servers = servers;
    this.#poolerPort = poolerPort;
  }

  /** Starts a primary, a synchronous standby, an asynchronous one, and the pooler. */
  static async start(): Promise<Cluster> {
    const cluster = new Cluster(await PostgresServers.start(["b", "c"]), await findFreePort());
    await cluster.#replicateTo("b, c");
    await cluster.startPooler();
    return cluster;
  }

  /** Where the service finds the pooler in transaction mode. */
  get url(): string {
    return `postgres://latchkey@127.0.0.1:${this.#poolerPort}/app`;
  }

  /** The same pooler in session mode. */
  get sessionUrl(): string {
    return `postgres://latchkey@127.0.0.1:${this.#poolerPort}/sessions`;
  }

  /** The same pooler in front of the asynchronous standby. */
  get replicaUrl(): string {
    return `postgres://latchkey@127.0.0.1:${this.#poolerPort}/replica`;
  }

  /** Kills the primary, promotes the synchronous standby, has the pooler find it, and makes the other standby again from it. */
  async failOver(): Promise<void> {
    const { primary } = this.#servers;
    const [standby, other] = this.#servers.standbys as readonly [Server, Server];
    await this.#servers.stop(primary);
    await this.#servers.promote(standby);
    await this.#configure("synchronous_standby_names = ''");
    this.#reloadPooler();
    await this.#servers.stop(other);
    rmSync(other.data, { recursive: true });
    await this.#servers.startStandby("c");
    this.#reloadPooler();
    await this.#replicateTo("c");
  }

  /** Ends the synchronous standby as a crash would, and starts it again after so many milliseconds. */
  async loseStandby(awayMs: number): Promise<void> {
    const standby = this.#servers.standbys[0] as Server;
    await this.#servers.stop(standby);
    await pause(awayMs);
    await this.#servers.start(standby);
    await this.#servers.waitForStandbys();
  }

  /** Stops every process of the primary for so many milliseconds, as a disk that hangs does. */
  async stallPrimary(forMs: number): Promise<void> {
    const postmaster = this.#servers.postmaster(this.#servers.primary);
    const listed = spawnSync("ps", ["-o", "pid=", "--ppid", postmaster], { encoding: "utf8" }).stdout;
    const ids = [postmaster, ...listed.trim().split(/\s+/)].map(Number);
    signal(ids, "SIGSTOP");
    await pause(forMs);
    signal(ids, "SIGCONT");
  }

  /** Ends the sessions of all clients of the primary. */
  async endSessions(): Promise<void> {
    await this.#servers.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
  }

  /** Kills the pooler, and starts it again after so many milliseconds. */
  async restartPooler(awayMs: number): Promise<void> {
    this.#pooler?.kill("SIGKILL");
    await pause(awayMs);
    await this.startPooler();
  }

  /** Has the pooler carry nothing for so many milliseconds. */
  async pausePooler(forMs: number): Promise<void> {
    this.#pooler?.kill("SIGSTOP");
    await pause(forMs);
    this.#pooler?.kill("SIGCONT");
  }

  async startPooler(): Promise<void> {
    this.#writePooler();
    this.#pooler = spawn("pgbouncer", ["-q", this.#poolerFile], { ...this.#servers.user, stdio: "ignore" });
    for (let tries = 0; tries < 100 && !(await isOpen(this.#poolerPort)); tries++) await pause(50);
  }

  /** Ends everything and removes all files. */
  remove(): void {
    this.#pooler?.kill("SIGKILL");
    this.#servers.remove();
  }

  get #poolerFile(): string {
    return join(this.#servers.folder, "pgbouncer.ini");
  }

  #reloadPooler(): void {
    this.#writePooler();
    this.#pooler?.kill("SIGHUP");
  }

  #writePooler(): void {
    const { primary, standbys } = this.#servers;
    const toPlace = ({ port }: Server): string => `host=127.0.0.1 port=${port} dbname=postgres user=latchkey`;
    const lines = [
      "[databases]",
      `app = ${toPlace(primary)}`,
      `sessions = ${toPlace(primary)} pool_mode=session`,
      `replica = ${toPlace(standbys.at(-1) ?? primary)}`,
      "[pgbouncer]",
      `listen_addr = 127.0.0.1\nlisten_port = ${this.#poolerPort}\nunix_socket_dir =`,
      "auth_type = any\npool_mode = transaction\nmax_client_conn = 300\ndefault_pool_size = 20",
      "server_login_retry = 1\nserver_connect_timeout = 2\nquery_wait_timeout = 10",
    ];
    writeFileSync(this.#poolerFile, `${lines.join("\n")}\n`);
    this.#servers.own(this.#poolerFile);
  }

  // The first of the names is synchronous, and the next one while it is away.
  async #replicateTo(names: string): Promise<void> {
    await this.#configure(`synchronous_standby_names = 'FIRST 1 (${names})'`);
  }

  async #configure(setting: string): Promise<void> {
    await this.#servers.query(`alter system set ${setting}`);
    await this.#servers.query("select pg_reload_conf()");
  }
}

function signal(ids: readonly number[], name: NodeJS.Signals): void {
  for (const id of ids)
    try {
      process.kill(id, name);
    } catch {
      // It has ended meanwhile.
    }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket
      .on("error", () => resolve(false))
      .on("connect", () => {
        socket.destroy();
        resolve(true);
      });
  });
}
