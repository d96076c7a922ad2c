import type { LookupFunction } from "node:net";

/** Ports for time, identifiers, randomness and logging. */

/** Returns the current instant in epoch milliseconds. */
export type Clock = () => number;

/** Returns a fresh lower-case UUID. */
export type IdGenerator = () => string;

/** Returns `length` bytes from a cryptographic source. */
export type Random = (length: number) => Uint8Array;

/** Cancels a timer. Does nothing once the timer has run. */
export type CancelTimer = () => void;

/** Timers, and waiting for later turns of the event loop. */
export interface Timers {
  /** Calls back once, after so many milliseconds. The process stays alive for it only if `keepsAlive` is true. */
  after(milliseconds: number, callback: () => void, keepsAlive?: boolean): CancelTimer;
  /** Calls back at this interval. Never keeps the process alive. */
  every(milliseconds: number, callback: () => void): CancelTimer;
  /** Resolves in a later turn of the event loop, so that other work runs in between. */
  nextTurn(): Promise<void>;
}

/** Returns the share of the time since its last call in which the event loop was busy, 0 to 1. */
export type EventLoopMonitor = () => number;

/** Computes password hashes off the event loop. */
export interface PasswordHasher {
  /** Returns the hash by Argon2id, with one lane, as a PHC string. */
  hash(
    password: string,
    options: { readonly memoryKib: number; readonly passes: number; readonly salt: Uint8Array },
  ): Promise<string>;
  /** Whether a password matches a hash of a known format. */
  verify(password: string, hash: string): Promise<boolean>;
  /**
   * Returns the bytes of a password's hash in the format of `like`, with its cost and salt; undefined for Argon2 and unknown
   * formats.
   */
  digest(password: string, like: string): Promise<Uint8Array | undefined>;
}

/** A logger of pino's shape: an object of fields, then a message. It never receives a secret. */
export interface Logger {
  /** Logs details for developers. */
  debug(fields: object, message: string): void;
  /** Logs normal events. */
  info(fields: object, message: string): void;
  /** Logs a condition that an operator should look at. */
  warn(fields: object, message: string): void;
  /** Logs a failure; `err` of the fields holds the error. */
  error(fields: object, message: string): void;
}

/** All sources of nondeterminism: time, timers, identifiers, randomness, and the logger. */
export interface Runtime {
  /** Returns the current instant, in epoch milliseconds. */
  readonly clock: Clock;
  /** Returns milliseconds since a fixed instant, to measure durations: it never goes back. */
  readonly monotonic: () => number;
  /** Starts timers. */
  readonly timers: Timers;
  /** Starts to measure the load of the event loop. */
  readonly monitorEventLoop: () => EventLoopMonitor;
  /** Returns a fresh lower-case UUID. */
  readonly newId: IdGenerator;
  /** Returns bytes from a cryptographic source. */
  readonly random: Random;
  /** Resolves the addresses of a name, like `lookup` of `node:dns`. */
  readonly lookup: LookupFunction;
  /** Receives log lines. They never hold a secret. */
  readonly logger: Logger;
}
