import type { Logger } from "../ports/runtime.js";

const maxWarnings = 10_000;

/** Logs each warning of a key once in the life of a service. */
export class SingleWarnings {
  readonly #logger: Logger;
  readonly #logged = new Map<string, Set<string>>();
  #count = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Logs a warning unless it was logged before. After 10,000 warnings, new ones are not logged. */
  warn(key: string, fields: object, message: string): void {
    const known = this.#logged.get(key) ?? new Set();
    if (known.has(message) || this.#count >= maxWarnings) return;
    this.#logged.set(key, known.add(message));
    this.#count++;
    this.#logger.warn(fields, message);
  }

  /** Allows the warnings of a key again after their cause is fixed. */
  forget(key: string): void {
    this.#count -= this.#logged.get(key)?.size ?? 0;
    this.#logged.delete(key);
  }
}
