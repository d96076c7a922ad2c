import { performance as eventLoop } from "node:perf_hooks";

/** Milliseconds from one poll to the next, in which what comes is leased together, and how many events a poll may lease. */
const usual = { interval: 20, limit: 256 };
/** While there are no receivers: then events only have to leave the storage. */
const idle = { interval: 250, limit: 1_000 };
/** While others write as much as this process can: they come first, and what they cause leaves a little later. */
const pressed = { interval: 100, limit: 16 };
/** So many commits there are for each event that leaves meanwhile. */
const commitsPerEvent = 12;

const busyShare = 0.7;
/** Fewer commits than that beside each event that leaves are no reason to slow anything. */
const minCommitsPerEvent = 0.25;

/** Returns the share of the time since its last call in which the event loop was busy, 0 to 1. */
export type EventLoopMonitor = () => number;

/** Measures the event loop of this process. */
export function createEventLoopMonitor(): EventLoopMonitor {
  let before = eventLoop.eventLoopUtilization();
  return () => {
    const now = eventLoop.eventLoopUtilization();
    const { utilization } = eventLoop.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** When a queue is polled next, and how much of its outbox is leased at once. */
export class PollSchedule {
  readonly #measureLoad: EventLoopMonitor;
  #mode: typeof usual = usual;
  #begin = Number.NEGATIVE_INFINITY;
  #commits = 0;

  constructor(measureLoad: EventLoopMonitor) {
    this.#measureLoad = measureLoad;
  }

  /** Counts a commit of any call. */
  countCommit(): void {
    this.#commits++;
  }

  /** Milliseconds until the next poll; 0 or less: none. `eager` means that more is due than one poll takes. */
  timeLeft(isEager: boolean): number {
    return isEager && this.#mode !== pressed ? 0 : this.#begin + this.#mode.interval - performance.now();
  }

  /** Begins a poll, where `ended` events have left since the one before, and answers how many events it may lease. */
  begin(ended: number): number {
    const commits = this.#commits;
    const isWritten = commits > 0 && commits >= minCommitsPerEvent * ended;
    const isPressed = this.#measureLoad() > busyShare && isWritten;
    if (this.#mode !== idle) this.#mode = isPressed ? pressed : usual;
    this.#begin = performance.now();
    this.#commits = 0;
    return isPressed ? Math.max(this.#mode.limit, Math.floor(commits / commitsPerEvent)) : this.#mode.limit;
  }

  /** Ends a poll, which has found out whether any receiver exists. */
  end(hasReceivers: boolean): void {
    if (!hasReceivers) this.#mode = idle;
    else if (this.#mode === idle) this.#mode = usual;
  }
}

/** A timer that rings at the earliest of the times that it was set to since it rang last. Never keeps the process alive. */
export class EarliestTimer {
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
