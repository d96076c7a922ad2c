/** Where calls wait that are slowed: so many at a time, so that slowing one caller never exhausts the process for all. */
export class DelayLimiter {
  readonly #seats: number;
  #taken = 0;

  constructor(seats = 100) {
    this.#seats = seats;
  }

  get isFull(): boolean {
    return this.#taken >= this.#seats;
  }

  /** Resolves after so many milliseconds: at once for none. */
  async wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    this.#taken++;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    this.#taken--;
  }
}
