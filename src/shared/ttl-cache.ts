import type { StorageSignals } from "../ports/storage.js";

/** How long another process may go on using what was changed or removed (docs/reference/api-keys.md#new-changed-and-revoked-keys). */
const maxAgeMs = 900;

/** What was read from the storage, kept for a moment under a name; changes made in this process make it forget at once. */
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

  /** How many values the cache holds, fresh or not. */
  get size(): number {
    return this.#kept.size;
  }

  /** The cached value of a name; undefined when there is none, or none that is fresh. */
  get(name: string): T | undefined {
    const kept = this.#kept.get(name);
    return kept !== undefined && this.#monotonic() - kept.readInstant < this.#ageMs ? kept.value : undefined;
  }

  /** The cached value of a name, else the one that `read` finds. Only found values are cached: made-up names must not fill the memory. */
  async find(name: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const kept = this.get(name);
    if (kept !== undefined) return kept;
    const keep = this.startReading();
    const value = await read();
    if (value !== undefined) keep(name, value);
    return value;
  }

  /** Returns a function that caches values which are read from now on. Once the cache is invalidated, it does nothing. */
  startReading(): (name: string, value: T) => void {
    const readInstant = this.#monotonic();
    const generation = this.#generation;
    return (name, value) => {
      if (generation !== this.#generation) return;
      if (this.#kept.size >= this.#maxValues) this.#kept.clear();
      this.#kept.set(name, { value, readInstant });
    };
  }

  /** Forgets every value. */
  invalidate(): void {
    this.#generation++;
    this.#kept.clear();
  }
}

/**
 * Functions that make this process and all others on the same storage forget something, made of functions that make this one forget it.
 * Other processes get the message soon, or not at all: cached values must also expire after a moment.
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
