import type { Logger } from "../ports/runtime.js";

const maxKeys = 10_000;

/** Warnings that are logged once in the life of a service, by their key. */
export class SingleWarnings {
  readonly #logger: Logger;
  readonly #logged = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Logs a warning unless it was logged before. Beyond very many keys, no other is. */
  warn(key: string, fields: object, message: string): void {
    if (this.#logged.has(key) || this.#logged.size >= maxKeys) return;
    this.#logged.add(key);
    this.#logger.warn(fields, message);
  }

  /** Lets a warning be logged again: what it was about is mended. */
  forget(key: string): void {
    this.#logged.delete(key);
  }
}
