import { createHash } from "node:crypto";
import type { CancelTimer, StorageSignals } from "latchkey/ports";
import { ignore } from "../internal/async.js";
import type { StorageRuntime } from "../internal/storage-runtime.js";
import type { PgListenerLike, PgQuery } from "./connections/pg-types.js";

/** The parts of signals. */
export interface SignalParts {
  readonly runtime: StorageRuntime;
  /** The same in every process on the same tables. */
  readonly place: string;
  /** Creates a separate connection, not yet connected; undefined without listening. */
  readonly createListener: (() => PgListenerLike) | undefined;
  /** Runs a statement on any free connection. */
  readonly query: (query: PgQuery) => Promise<unknown>;
}

const firstPauseMs = 250;
const maxPauseMs = 30_000;

/** The interval of tests on a quiet connection: only these notice a silent disconnect. */
const testEveryMs = 30_000;
const testTimeoutMs = 5_000;

/** The maximum wait for a server that may not respond any more. */
const closeTimeoutMs = 1_000;

/**
 * Messages between processes by NOTIFY and LISTEN. A payload contains the sender and a word, no secret. The listening connection
 * is separate, reconnects when it breaks, and never keeps the process alive.
 */
export class Signals implements StorageSignals {
  readonly #parts: SignalParts;
  readonly #channel: string;
  readonly #listeners: ((word: string | undefined) => void)[] = [];
  readonly #toSend = new Set<string>();
  #knownSelf: string | undefined;
  #isSending = false;
  #isClosed = false;
  #connection: PgListenerLike | undefined;
  #cancelTimer: CancelTimer | undefined;
  #failures = 0;

  constructor(parts: SignalParts) {
    this.#parts = parts;
    this.#channel = `latchkey_${createHash("sha256").update(parts.place).digest("hex").slice(0, 32)}`;
  }

  listen(listener: (word: string | undefined) => void): void {
    this.#listeners.push(listener);
  }

  send(word: string): void {
    this.#toSend.add(word);
    if (!this.#isSending) void this.#sendAll();
  }

  /** Starts to listen, unless it does already. */
  start(): void {
    const { createListener } = this.#parts;
    if (createListener !== undefined && this.#connection === undefined && !this.#isClosed) void this.#connect(createListener());
  }

  /** Stops listening and sending. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    if (this.#connection !== undefined) await end(this.#connection, this.#parts.runtime);
  }

  // Created at first use, when the storage is open and has its runtime.
  get #self(): string {
    this.#knownSelf ??= this.#parts.runtime.random(18).toString("hex");
    return this.#knownSelf;
  }

  // A word sent again during its sending is sent once more.
  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (const word of this.#toSend) {
      this.#toSend.delete(word);
      if (this.#isClosed) continue;
      const values = [this.#channel, `${this.#self} ${word}`];
      await this.#parts.query({ text: "select pg_notify($1, $2)", values }).catch(ignore);
    }
    this.#isSending = false;
  }

  async #connect(connection: PgListenerLike): Promise<void> {
    this.#connection = connection;
    connection.on("error", ignore);
    connection.on("end", () => this.#connectLater(connection));
    connection.on("notification", ({ payload }) => this.#hear(payload));
    connection.unref?.();
    try {
      await connection.connect();
      // Again: encryption replaces the stream of the connection.
      connection.unref?.();
      await connection.query({ text: `listen ${this.#channel}` });
    } catch {
      return this.#connectLater(connection);
    }
    this.#failures = 0;
    // Notifications may have been missed while disconnected.
    this.#tell(undefined);
    this.#testLater(connection);
  }

  #connectLater(connection: PgListenerLike): void {
    if (this.#isClosed || this.#connection !== connection) return;
    this.#connection = undefined;
    connection.end().catch(ignore);
    this.#cancelTimer?.();
    const pause = Math.min(firstPauseMs * 2 ** this.#failures++, maxPauseMs);
    this.#cancelTimer = this.#parts.runtime.timers.after(pause, () => this.start());
  }

  #testLater(connection: PgListenerLike): void {
    const test = (): void => {
      connection.query({ text: "select 1", query_timeout: testTimeoutMs }).then(
        () => this.#testLater(connection),
        () => this.#connectLater(connection),
      );
    };
    if (!this.#isClosed && this.#connection === connection)
      this.#cancelTimer = this.#parts.runtime.timers.after(testEveryMs, test);
  }

  // Any user of the database may send anything on any channel.
  #hear(payload: string | undefined): void {
    const [, sender, word] = /^([0-9a-f-]{36}) ([a-zA-Z]{1,40})$/.exec(payload ?? "") ?? [];
    if (word !== undefined && sender !== this.#self) this.#tell(word);
  }

  #tell(word: string | undefined): void {
    for (const listener of this.#listeners) listener(word);
  }
}

// A caller that waits for the end keeps the process alive until then.
async function end(connection: PgListenerLike, { timers }: StorageRuntime): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = timers.after(closeTimeoutMs, late.resolve, true);
  connection.ref?.();
  await Promise.race([connection.end().catch(ignore), late.promise]);
  connection.unref?.();
  cancel();
}
