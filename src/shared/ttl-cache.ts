import type { StorageSignals } from "../ports/storage.js";

/** How long another process may use a changed or removed value (docs/reference/api-keys.md#new-changed-and-revoked-keys). */
const maxAgeMs = 900;

/** A TTL cache of values from the storage, by name; changes in this process invalidate it at once. */
export class TtlCache<T> {
  readonly #monotonic: () => number;
  readonly #maxValues: number;
  readonly #ageMs: number;
  readonly #kept = new Map<string, { readonly value: T; readonly readInstant: number }>();
  #generation = 0;

  constructor(monotonic: () => number, maxValues = 1_000, ageMs: number = maxAgeMs) {
    this.#monotonic = monotonic;
    this.#maxValues = maxValues;
    this.#ageMs = ageMs;
  }

  /** The number of cached values, fresh or not. */
  get size(): number {
    return this.#kept.size;
  }

  /** The fresh cached value of a name; undefined for none. */
  get(name: string): T | undefined {
    const kept = this.#kept.get(name);
    return kept !== undefined && this.#monotonic() - kept.readInstant < this.#ageMs ? kept.value : undefined;
  }

  /**
   * Returns the cached value of a name, else the result of `read`. Does not cache misses: made-up names must not fill the
   * memory.
   */
  async find(name: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const kept = this.get(name);
    if (kept !== undefined) return kept;
    const keep = this.startReading();
    const value = await read();
    if (value !== undefined) keep(name, value);
    return value;
  }

  /** Returns a function that caches values read after this call. After an invalidation, it does nothing. */
  startReading(): (name: string, value: T) => void {
    const readInstant = this.#monotonic();
    const generation = this.#generation;
    return (name, value) => {
      if (generation !== this.#generation) return;
      if (this.#kept.size >= this.#maxValues) this.#kept.clear();
      this.#kept.set(name, { value, readInstant });
    };
  }

  /** Removes all values. */
  invalidate(): void {
    this.#generation++;
    this.#kept.clear();
  }
}

/**
 * Returns functions that invalidate caches in all processes on the same storage, from functions that invalidate those of this
 * process. Other processes get the message soon, or not at all: cached values must also have a short TTL.
 */
export function invalidateAllProcesses<Word extends string>(
  signals: StorageSignals | undefined,
  forgetHere: Readonly<Record<Word, () => void>>,
): Readonly<Record<Word, () => void>> {
  if (signals === undefined) return forgetHere;
  const here = new Map(Object.entries<() => void>(forgetHere));
  signals.listen((word) => {
    if (word !== undefined) here.get(word)?.();
    else for (const forget of here.values()) forget();
  });
  const everywhere = [...here].map(([word, forget]) => [word, toEverywhere(signals, word, forget)] as const);
  return Object.fromEntries(everywhere) as Record<Word, () => void>;
}

function toEverywhere(signals: StorageSignals, word: string, forget: () => void): () => void {
  return () => {
    forget();
    signals.send(word);
  };
}
