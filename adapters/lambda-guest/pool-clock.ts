/** How often guests are looked at. */
export const tickMilliseconds = 10;

/** A clock that stands still while the host's own event loop does: a guest is not to blame for that. */
export class PoolClock {
  #passed = 0;
  #lastTick = performance.now();

  /** To be called every {@link tickMilliseconds}. */
  tick(): void {
    const { now } = this;
    this.#passed = now;
    this.#lastTick = performance.now();
  }

  /** Milliseconds since no particular time. */
  get now(): number {
    return this.#passed + Math.min(performance.now() - this.#lastTick, 2.5 * tickMilliseconds);
  }
}
