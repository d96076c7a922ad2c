import type { OpenKey } from "../keys/sealed-key.js";

/** How long another process may go on using a key that was changed or removed (decisions.md: within 1 s). */
const maxAgeMs = 900;
const maxKeys = 1_000;

/** Finds keys in the storage and opens them. */
export interface KeySource {
  byId(id: string): Promise<OpenKey | undefined>;
  byKid(kid: string): Promise<OpenKey | undefined>;
}

/** Keys that were opened, kept for a moment: opening one costs more than a signature. */
export class OpenKeys implements KeySource {
  readonly #source: KeySource;
  readonly #kept = new Map<string, { readonly key: OpenKey; readonly readInstant: number }>();
  #generation = 0;

  constructor(source: KeySource) {
    this.#source = source;
  }

  byId(id: string): Promise<OpenKey | undefined> {
    return this.#find(`id ${id}`, () => this.#source.byId(id));
  }

  byKid(kid: string): Promise<OpenKey | undefined> {
    return this.#find(`kid ${kid}`, () => this.#source.byKid(kid));
  }

  /** Forgets every key, so that changes made in this process take effect at once. */
  forget(): void {
    this.#generation++;
    this.#kept.clear();
  }

  // Only keys that exist are kept: whoever makes up names must not fill the memory.
  async #find(name: string, read: () => Promise<OpenKey | undefined>): Promise<OpenKey | undefined> {
    const kept = this.#kept.get(name);
    const readInstant = performance.now();
    if (kept !== undefined && readInstant - kept.readInstant < maxAgeMs) return kept.key;
    const generation = this.#generation;
    const key = await read();
    if (key === undefined || generation !== this.#generation) return key;
    if (this.#kept.size >= maxKeys) this.#kept.clear();
    this.#kept.set(name, { key, readInstant });
    return key;
  }
}
