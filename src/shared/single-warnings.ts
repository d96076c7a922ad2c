import type { Logger } from "../ports/runtime.js";

const maxKeys = 10_000;

/** Logs warnings once in the life of a service, by key. */
export class SingleWarnings {
  readonly #logger: Logger;
  readonly #logged = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Logs a warning unless it was logged before. After 10,000 keys, new ones are not logged. */
  warn(key: string, fields: object, message: string): void {
    if (this.#logged.has(key) || this.#logged.size >= maxKeys) return;
    this.#logged.add(key);
    this.#logger.warn(fields, message);
  }

  /** Allows a warning again after its cause is fixed. */
  forget(key: string): void {
    this.#logged.delete(key);
  }
}
