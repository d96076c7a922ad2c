// Reads from standbys that have replayed the position that the reader requires.
import { StorageUnavailable } from "latchkey/ports";
import { pause } from "../../internal/async.js";
import type { ReplicaReads, SqlConnection } from "../../kysely/sql/sql-connection.js";
import { Connections, type CreatePoolOptions, createPool } from "../connections/connections.js";
import { isConflict, type PgClientLike } from "../connections/pg-types.js";
import { type PreparedStatements, toConnection } from "../connections/prepared-statements.js";
import { listReplicas, type ReplicaOptions } from "./options.js";
import { type Position, type ReplicaState, readState } from "./replica-state.js";
import { RequiredPosition } from "./required-position.js";

export type { ReplicaOptions } from "./options.js";

/** The outcome of a read. The primary serves all but the first. */
type Outcome = ReplicaState | "conflict" | "failed" | "paused" | "unavailable";

interface ReadResult<T> {
  readonly outcome: Outcome;
  /** Returns or throws the result of the work; absent when it could not run. */
  readonly settle?: () => T;
}

type Work<T> = (connection: SqlConnection) => Promise<T>;

/** The pause of a replica after an outcome, in milliseconds. */
const pauses: Partial<Record<Outcome, number>> = { behind: 250, failed: 5_000, notStandby: 5_000, unavailable: 5_000 };

/** The timeout of a replica for a connection and for its state, in milliseconds: the primary serves the read after it. */
const maxAnswerMs = 1_000;

/** The interval between checks of a lagging replica, in milliseconds. */
const lookEveryMs = 5;

/** The storage's parts for its replicas. */
interface ReplicaParts {
  readonly primary: Connections;
  readonly statements: PreparedStatements;
  readonly waitMs: number;
}

/** Opens the replicas of a storage; undefined without any. */
export function openReplicas(options: ReplicaOptions & CreatePoolOptions, parts: ReplicaParts): Replicas | undefined {
  const places = listReplicas(options.readFrom ?? []);
  if (places.length === 0) return undefined;
  const waitMs = Math.min(parts.waitMs, maxAnswerMs);
  const replicas = places.map((place) => {
    const isOwn = typeof place === "string";
    const pool = isOwn ? createPool({ ...options, connectionString: place }, waitMs) : place;
    return new Replica(new Connections(pool, { runtime: parts.primary.runtime, waitMs, isOwn }));
  });
  return new Replicas(replicas, options, parts);
}

/**
 * Reads from standbys in turn. A snapshot is older than a position read with it, so a connection first reads its state, and then
 * the records.
 */
export class Replicas implements ReplicaReads {
  readonly outcomes: Record<Outcome, number> = {
    served: 0,
    behind: 0,
    conflict: 0,
    failed: 0,
    notStandby: 0,
    paused: 0,
    unavailable: 0,
  };
  readonly #primary: Connections;
  readonly #replicas: readonly Replica[];
  readonly #required: RequiredPosition;
  readonly #statements: PreparedStatements;
  readonly #waitMs: number;
  #turn = 0;

  constructor(replicas: readonly Replica[], options: ReplicaOptions, { primary, statements }: ReplicaParts) {
    this.#primary = primary;
    this.#replicas = replicas;
    this.#required = new RequiredPosition(primary, options.replicaMaxLagMs ?? 1_000);
    this.#statements = statements;
    this.#waitMs = options.replicaWaitMs ?? 50;
  }

  /** Called after each commit, before any caller knows. */
  noteCommit(): void {
    this.#required.noteCommit();
  }

  async read<T>(work: Work<T>, readPrimary: () => Promise<T>): Promise<T> {
    const { outcome, settle } = await this.#read(work);
    this.outcomes[outcome]++;
    return settle === undefined ? readPrimary() : settle();
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map(({ connections }) => connections.close()));
  }

  async #read<T>(work: Work<T>): Promise<ReadResult<T>> {
    const replica = this.#next();
    if (replica === undefined) return { outcome: "paused" };
    const position = await this.#required.get().catch(toResult);
    if ("outcome" in position) return position;
    const result = await replica.connections.read((client) => this.#readOn<T>(client, position, work)).catch(toResult);
    replica.note(result.outcome);
    return result;
  }

  #next(): Replica | undefined {
    const first = this.#turn++;
    const inTurn = this.#replicas.map((_, index) => this.#replicas[(first + index) % this.#replicas.length]);
    return inTurn.find((replica) => replica?.mayBeAsked());
  }

  async #readOn<T>(client: PgClientLike, position: Position, work: Work<T>): Promise<ReadResult<T>> {
    const outcome = await this.#catchUp(client, position);
    if (outcome !== "served") return { outcome };
    let failure: unknown;
    const connection = toConnection(this.#statements, (query) =>
      client.query(query).catch((error: unknown) => {
        failure ??= error;
        throw error;
      }),
    );
    try {
      const value = await work(connection);
      return { outcome, settle: () => value };
    } catch (error) {
      if (failure !== undefined) throw failure;
      // The work refuses its result, such as a page that is too large.
      const settle = (): never => {
        throw error;
      };
      return { outcome, settle };
    }
  }

  async #catchUp(client: PgClientLike, position: Position): Promise<Outcome> {
    const { runtime } = this.#primary;
    const deadline = runtime.monotonic() + this.#waitMs;
    for (;;) {
      const outcome = await readState((query) => client.query(query), position, maxAnswerMs);
      if (outcome !== "behind" || runtime.monotonic() >= deadline) return outcome;
      await pause(runtime.timers, lookEveryMs);
    }
  }
}

function toResult(error: unknown): ReadResult<never> {
  if (isConflict(error)) return { outcome: "conflict" };
  return { outcome: error instanceof StorageUnavailable ? "unavailable" : "failed" };
}

/** A standby, paused for a while after a failure. */
class Replica {
  readonly connections: Connections;
  #pausedUntil = 0;

  constructor(connections: Connections) {
    this.connections = connections;
  }

  mayBeAsked(): boolean {
    const now = this.connections.runtime.monotonic();
    if (now < this.#pausedUntil) return false;
    // After a pause, one read tries it; the others follow once that is served.
    if (this.#pausedUntil > 0) this.#pausedUntil = now + maxAnswerMs;
    return true;
  }

  note(outcome: Outcome): void {
    const pauseMs = pauses[outcome];
    this.#pausedUntil = pauseMs === undefined ? 0 : this.connections.runtime.monotonic() + pauseMs;
  }
}
