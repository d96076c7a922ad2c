/** What a host may replace of its surroundings: time, identifiers, randomness and the log. */

/** The current instant in epoch milliseconds. */
export type Clock = () => number;

/** A fresh lower-case UUID. */
export type IdGenerator = () => string;

/** `length` bytes from a cryptographic source. */
export type Random = (length: number) => Uint8Array;

/** A logger of pino's shape: an object of fields, then a message. Never handed a secret. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Everything that makes two runs differ, in one value. */
export interface Runtime {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly random: Random;
  readonly logger: Logger;
}
