/** Runs work on the same key one after the other, in the order of the calls. Work on different keys runs side by side. */
export class KeyMutex {
  readonly #lastOf = new Map<string, Promise<void>>();

  /** Runs `work` after all earlier work on the key has ended, well or not. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const run = (this.#lastOf.get(key) ?? Promise.resolve()).then(work);
    const forget = (): void => {
      if (this.#lastOf.get(key) === last) this.#lastOf.delete(key);
    };
    const last: Promise<void> = run.then(forget, forget);
    this.#lastOf.set(key, last);
    return run;
  }
}
