import { type EventLoopUtilization, performance } from "node:perf_hooks";

/** Milliseconds from one look at the outbox to the next: what comes meanwhile is taken together. */
const usual = { interval: 20, limit: 256 };
/** While others write as fast as this process can: they come first, and what they cause leaves a little later. */
const pressed = { interval: 50, limit: 64 };
/** While nobody wants to hear of anything: then events only have to leave the storage. */
const unheard = { interval: 250, limit: 1_000 };

const busyShare = 0.95;
const manyCommitsPerSecond = 400;

/** When the outbox is looked at next, and how much of it is taken at once. */
export class Pace {
  #mode: typeof usual = usual;
  #begin = Number.NEGATIVE_INFINITY;
  #commits = 0;
  #utilization: EventLoopUtilization = performance.eventLoopUtilization();

  /** Notes that somebody has committed something. */
  note(): void {
    this.#commits++;
  }

  /** How many milliseconds the next look waits; 0 or less: none. Whoever is `eager` has more to do than it can take at once. */
  timeLeft(isEager: boolean): number {
    return isEager && this.#mode !== pressed ? 0 : this.#begin + this.#mode.interval - performance.now();
  }

  /** Begins a look, and answers how many events it may take. */
  begin(): number {
    const now = performance.now();
    const utilization = performance.eventLoopUtilization();
    const share = performance.eventLoopUtilization(utilization, this.#utilization).utilization;
    const isPressed = share > busyShare && this.#commits * 1_000 > manyCommitsPerSecond * (now - this.#begin);
    if (this.#mode !== unheard) this.#mode = isPressed ? pressed : usual;
    this.#utilization = utilization;
    this.#begin = now;
    this.#commits = 0;
    return this.#mode.limit;
  }

  /** Ends a look, which has found out whether anybody wants to hear of anything at all. */
  end(isHeard: boolean): void {
    if (!isHeard) this.#mode = unheard;
    else if (this.#mode === unheard) this.#mode = usual;
  }
}
