import type { StorageRuntime } from "../../internal/storage-runtime.js";

/** Whether the database has an index or a trigger of a name, which is usable. */
export type FindObject = (name: string, table: string) => boolean | Promise<boolean>;

/** Between two looks for one that was not there. */
const searchesBetweenLooks = 100;

/** How many names are remembered: each tenant may have some of its own. */
const maxKnown = 10_000;

interface Known {
  asked: number;
  usableFrom?: number;
}

/** The indexes and triggers that searches use where the database has them. Another process makes them, at any time, so they are looked for again. */
export class PresentObjects {
  readonly #find: FindObject;
  readonly #runtime: Pick<StorageRuntime, "monotonic">;
  readonly #staleMilliseconds: number;
  readonly #known = new Map<string, Known>();

  /** `staleMilliseconds` is how long connections may still see the state from before one was found. */
  constructor(find: FindObject, runtime: Pick<StorageRuntime, "monotonic">, staleMilliseconds = 0) {
    this.#find = find;
    this.#runtime = runtime;
    this.#staleMilliseconds = staleMilliseconds;
  }

  /** Whether searches may use it now. */
  has(name: string, table: string): boolean {
    const known = this.#known.get(name) ?? { asked: 0 };
    if (this.#known.size >= maxKnown && !this.#known.has(name)) this.#known.clear();
    this.#known.set(name, known);
    if (known.usableFrom === undefined && known.asked++ % searchesBetweenLooks === 0) this.#look(name, table, known);
    return known.usableFrom !== undefined && this.#runtime.monotonic() >= known.usableFrom;
  }

  /** Whether the database has it, asked of the database. */
  async isThere(name: string, table: string): Promise<boolean> {
    return this.#find(name, table);
  }

  /** Has it looked for with the next search. */
  forget(name: string): void {
    this.#known.delete(name);
  }

  #look(name: string, table: string, known: Known): void {
    const note = (isThere: boolean): void => {
      if (isThere) known.usableFrom = this.#runtime.monotonic() + this.#staleMilliseconds;
    };
    const found = this.#find(name, table);
    if (found instanceof Promise) found.then(note, () => undefined);
    else note(found);
  }
}
