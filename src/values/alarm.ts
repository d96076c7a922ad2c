/** A timer that rings at the earliest of the times that it was set to since it rang last. Never keeps the process alive. */
export class Alarm {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** When it rings, on the clock of `performance.now`. */
  #time = 0;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  set(milliseconds: number): void {
    const time = performance.now() + milliseconds;
    if (this.#timer !== undefined && this.#time <= time) return;
    this.clear();
    this.#time = time;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#ring();
    }, milliseconds).unref();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
