/** The names of indexes and triggers that are of use together. The first is that of all in a plan. */
export type ObjectNames = readonly [string, ...string[]];

/** Whether the database has all indexes and triggers of these names, and can use them. */
export type FindObjects = (names: readonly string[], table: string) => boolean | Promise<boolean>;

/** Between two looks for one that was not there. */
const searchesBetweenLooks = 100;

/** How many names are remembered: each tenant may have some of its own. */
const maxKnown = 10_000;

interface Known {
  asked: number;
  isThere: boolean;
}

/**
 * The indexes and triggers that searches use where the database has them. Another process or an administrator makes and drops them, at any
 * time, so they are looked for again.
 */
export class PresentObjects {
  readonly #find: FindObjects;
  readonly #readVersion: (() => unknown) | undefined;
  readonly #known = new Map<string, Known>();
  #version: unknown;

  /** `readVersion` answers another value after each change of the schema. Without it, what is there counts as there until it is forgotten. */
  constructor(find: FindObjects, readVersion?: () => unknown) {
    this.#find = find;
    this.#readVersion = readVersion;
  }

  /** Whether searches may use what these are: the first of the names stands for all. */
  has(names: ObjectNames, table: string): boolean {
    this.#forgetOld();
    const [name] = names;
    const known = this.#known.get(name) ?? { asked: 0, isThere: false };
    if (this.#known.size >= maxKnown && !this.#known.has(name)) this.#known.clear();
    this.#known.set(name, known);
    if (!known.isThere && known.asked++ % searchesBetweenLooks === 0) this.#look(names, table, known);
    return known.isThere;
  }

  /** Has one looked for with the next search, or all of them. */
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
