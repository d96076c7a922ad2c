/** How many items a list or map of a body holds at most (docs/reference/wire.md#sizes). */
export const maxItems = 10_000;

/** How many values a body holds at most, those in bulk lists apart. */
export const maxValues = 20_000;

/** The path of a list that only the limit in bytes bounds: its keys from the root, `*` for any key. */
export type BulkPath = readonly string[];

/** Counts what a body holds against the limits, from the root down. */
export class SizeLimits {
  readonly #bulk: readonly BulkPath[];
  readonly #budget: { valuesLeft: number };

  constructor(bulk: readonly BulkPath[] = [], budget: { valuesLeft: number } = { valuesLeft: maxValues }) {
    this.#bulk = bulk;
    this.#budget = budget;
  }

  /** Counts the items of the list here, and answers whether it may hold so many. */
  admitsList(count: number): boolean {
    return this.#isBulk() || this.admitsMap(count);
  }

  /** Counts the members of the object here, and answers whether it may hold so many. */
  admitsMap(count: number): boolean {
    this.#budget.valuesLeft -= count;
    return count <= maxItems && this.#budget.valuesLeft >= 0;
  }

  /** The limits for the member `key`; for every item of a list without a key. */
  at(key?: string): SizeLimits {
    // Nearly every body has no bulk list: one object counts all of it.
    if (this.#bulk.length === 0) return this;
    if (this.#isBulk()) return new SizeLimits([], { valuesLeft: Number.POSITIVE_INFINITY });
    const below = this.#bulk.filter(([first]) => first === "*" || first === key).map(([, ...rest]) => rest);
    return new SizeLimits(below, this.#budget);
  }

  #isBulk(): boolean {
    return this.#bulk.some((path) => path.length === 0);
  }
}
