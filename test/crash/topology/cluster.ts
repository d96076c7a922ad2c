import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort, findPrograms, findUser } from "../throw-away-postgres.ts";

const run = promisify(execFile);
const programs = findPrograms();
const user = findUser();

/** A server of the cluster. Its name is what its primary knows it by. */
interface Server {
  readonly name: string;
  readonly port: number;
  readonly data: string;
}

/** A Postgres primary, standbys and PgBouncer in front, on the loopback address. */
export class Cluster {
  readonly #folder = mkdtempSync(join(tmpdir(), "latchkey-topology-"));
  readonly #poolerPort: number;
  #servers: readonly Server[] = [];
  #pooler: ChildProcess | undefined;

  private constructor(poolerPort: number) {
    this.#poolerPort = poolerPort;
    this.#own(this.#folder);
  }

  /** Starts a primary, a synchronous standby, an asynchronous one, and the pooler. */
  static async start(): Promise<Cluster> {
    const cluster = new Cluster(await findFreePort());
    await cluster.#startPrimary();
    for (const name of ["b", "c"]) await cluster.#startStandby(name);
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

  /** Kills the primary, promotes the synchronous standby, has the pooler find it, and makes the other standby again from it. */
  async failOver(): Promise<void> {
    const [primary, standby, other] = this.#servers as readonly [Server, Server, Server];
    await this.#control(primary, "--mode", "immediate", "stop");
    await this.#control(standby, "promote");
    this.#servers = [standby];
    await this.#query("alter system set synchronous_standby_names = ''", true);
    this.#writePooler();
    this.#pooler?.kill("SIGHUP");
    await this.#control(other, "--mode", "immediate", "stop");
    rmSync(other.data, { recursive: true });
    await this.#startStandby("c");
    await this.#replicateTo("c");
  }

  /** Ends the synchronous standby as a crash would, and starts it again after so many milliseconds. */
  async loseStandby(awayMs: number): Promise<void> {
    const standby = this.#servers[1] as Server;
    await this.#control(standby, "--mode", "immediate", "stop");
    await pause(awayMs);
    await this.#startServer(standby);
    await this.#waitForStandbys(this.#servers.length - 1);
  }

  /** Stops every process of the primary for so many milliseconds, as a disk that hangs does. */
  async stallPrimary(forMs: number): Promise<void> {
    const [postmaster = ""] = readFileSync(join((this.#servers[0] as Server).data, "postmaster.pid"), "utf8").split("\n");
    const listed = spawnSync("ps", ["-o", "pid=", "--ppid", postmaster], { encoding: "utf8" }).stdout;
    const ids = [postmaster, ...listed.trim().split(/\s+/)].map(Number);
    signal(ids, "SIGSTOP");
    await pause(forMs);
    signal(ids, "SIGCONT");
  }

  /** Ends the sessions of all clients of the primary. */
  async endSessions(): Promise<void> {
    await this.#query(
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
    this.#pooler = spawn("pgbouncer", ["-q", this.#poolerFile], { ...user, stdio: "ignore" });
    for (let tries = 0; tries < 100 && !(await isOpen(this.#poolerPort)); tries++) await pause(50);
  }

  /** Ends everything and removes all files. */
  remove(): void {
    this.#pooler?.kill("SIGKILL");
    for (const server of this.#servers)
      spawnSync(join(programs, "pg_ctl"), ["--pgdata", server.data, "--mode", "immediate", "stop"], { ...user, cwd: "/tmp" });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #poolerFile(): string {
    return join(this.#folder, "pgbouncer.ini");
  }

  #writePooler(): void {
    const place = `host=127.0.0.1 port=${this.#servers[0]?.port} dbname=postgres user=latchkey`;
    const lines = [
      "[databases]",
      `app = ${place}`,
      `sessions = ${place} pool_mode=session`,
      "[pgbouncer]",
      `listen_addr = 127.0.0.1\nlisten_port = ${this.#poolerPort}\nunix_socket_dir =`,
      "auth_type = any\npool_mode = transaction\nmax_client_conn = 300\ndefault_pool_size = 20",
      "server_login_retry = 1\nserver_connect_timeout = 2\nquery_wait_timeout = 10",
    ];
    writeFileSync(this.#poolerFile, `${lines.join("\n")}\n`);
    this.#own(this.#poolerFile);
  }

  async #startPrimary(): Promise<void> {
    const server = await this.#newServer("a");
    await this.#run("initdb", "--pgdata", server.data, "--encoding", "UTF8", "--auth", "trust", "--username", "latchkey");
    appendFileSync(
      join(server.data, "postgresql.conf"),
      `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nwal_keep_size = '256MB'\nmax_connections = 60\n`,
    );
    await this.#startServer(server);
    this.#servers = [server];
  }

  async #startStandby(name: string): Promise<void> {
    const server = await this.#newServer(name);
    const from = `host=127.0.0.1 port=${this.#servers[0]?.port} user=latchkey application_name=${name}`;
    await this.#run("pg_basebackup", "--pgdata", server.data, "--dbname", from, "-R", "-X", "stream", "--checkpoint=fast");
    await this.#startServer(server);
    this.#servers = [...this.#servers, server];
    await this.#waitForStandbys(this.#servers.length - 1);
  }

  // The first of the names is synchronous, and the next one while it is away.
  async #replicateTo(names: string): Promise<void> {
    await this.#query(`alter system set synchronous_standby_names = 'FIRST 1 (${names})'`, true);
  }

  async #waitForStandbys(count: number): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      if (Number(await this.#query("select count(*) from pg_stat_replication where state = 'streaming'")) >= count) return;
      await pause(100);
    }
    throw new Error("A standby does not follow the primary.");
  }

  async #query(text: string, reloads = false): Promise<string> {
    const words = ["-h", "127.0.0.1", "-p", String(this.#servers[0]?.port), "-U", "latchkey", "-d", "postgres", "-Atqc", text];
    const answer = await this.#run("psql", ...words);
    if (reloads) await this.#run("psql", ...words.slice(0, -1), "select pg_reload_conf()");
    return answer;
  }

  async #newServer(name: string): Promise<Server> {
    const data = join(this.#folder, `${name}-${Date.now()}`);
    mkdirSync(data, { mode: 0o700 });
    this.#own(data);
    return { name, port: await findFreePort(), data };
  }

  async #startServer(server: Server): Promise<void> {
    await this.#control(server, "--log", join(server.data, "log"), "--options", `-p ${server.port}`, "start");
  }

  async #control(server: Server, ...words: readonly string[]): Promise<void> {
    await this.#run("pg_ctl", "--pgdata", server.data, "--wait", "--silent", ...words);
  }

  async #run(program: string, ...words: readonly string[]): Promise<string> {
    const options = { ...user, cwd: this.#folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
    return (await run(join(programs, program), words, options)).stdout;
  }

  #own(path: string): void {
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
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
