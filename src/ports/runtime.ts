/** Ports for time, identifiers, randomness and logging. */

/** The current instant in epoch milliseconds. */
export type Clock = () => number;

/** A fresh lower-case UUID. */
export type IdGenerator = () => string;

/** `length` bytes from a cryptographic source. */
export type Random = (length: number) => Uint8Array;

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

/** Everything that makes two runs differ, in one value. */
export interface Runtime {
  /** Returns the current instant, in epoch milliseconds. */
  readonly clock: Clock;
  /** Returns a fresh lower-case UUID. */
  readonly newId: IdGenerator;
  /** Returns bytes from a cryptographic source. */
  readonly random: Random;
  /** Receives log lines. They never hold a secret. */
  readonly logger: Logger;
}
