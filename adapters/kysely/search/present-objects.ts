/** Names of indexes and triggers that only work together. The first one identifies them in a plan. */
export type ObjectNames = readonly [string, ...string[]];

/** Whether the database has all indexes and triggers with these names, in a usable state. */
export type FindObjects = (names: readonly string[], table: string) => boolean | Promise<boolean>;

/** The number of searches between checks for a missing object. */
const searchesBetweenLooks = 100;

/** The maximum number of remembered names: each tenant may have some of its own. */
const maxKnown = 10_000;

interface Known {
  asked: number;
  isThere: boolean;
}

/**
 * The indexes and triggers that searches use when present. Another process or an administrator may create and drop them at any
 * time, so they are checked again.
 */
export class PresentObjects {
  readonly #find: FindObjects;
  readonly #readVersion: (() => unknown) | undefined;
  readonly #known = new Map<string, Known>();
  #version: unknown;

  /**
   * `readVersion` returns another value after each change of the schema. Without it, a found object counts as present until it is
   * forgotten.
   */
  constructor(find: FindObjects, readVersion?: () => unknown) {
    this.#find = find;
    this.#readVersion = readVersion;
  }

  /** Whether searches may use these objects; cached by the first name. */
  has(names: ObjectNames, table: string): boolean {
    this.#forgetOld();
    const [name] = names;
    const known = this.#known.get(name) ?? { asked: 0, isThere: false };
    if (this.#known.size >= maxKnown && !this.#known.has(name)) this.#known.clear();
    this.#known.set(name, known);
    if (!known.isThere && known.asked++ % searchesBetweenLooks === 0) this.#look(names, table, known);
    return known.isThere;
  }

  /** Makes the next search check one again, or all of them. */
  forget(name?: string): void {
    if (name === undefined) this.#known.clear();
    else this.#known.delete(name);
  }

  #forgetOld(): void {
    const version = this.#readVersion?.();
    if (version !== this.#version) this.#known.clear();
    this.#version = version;
  }

  #look(names: readonly string[], table: string, known: Known): void {
    const note = (isThere: boolean): void => {
      known.isThere = isThere;
    };
    const found = this.#find(names, table);
    if (found instanceof Promise) found.then(note, () => undefined);
    else note(found);
  }
}
