import type { CancelTimer, EventLoopMonitor, Runtime } from "../../ports/runtime.js";

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

/** When a queue is polled next, and how much of its outbox is leased at once. */
export class PollSchedule {
  readonly #monotonic: () => number;
  readonly #measureLoad: EventLoopMonitor;
  #mode: typeof usual = usual;
  #begin = Number.NEGATIVE_INFINITY;
  #commits = 0;

  constructor({ monitorEventLoop, monotonic }: Pick<Runtime, "monitorEventLoop" | "monotonic">) {
    this.#monotonic = monotonic;
    this.#measureLoad = monitorEventLoop();
  }

  /** Counts a commit of any call. */
  countCommit(): void {
    this.#commits++;
  }

  /** Milliseconds until the next poll; 0 or less: none. `eager` means that more is due than one poll takes. */
  timeLeft(isEager: boolean): number {
    return isEager && this.#mode !== pressed ? 0 : this.#begin + this.#mode.interval - this.#monotonic();
  }

  /** Begins a poll, where `ended` events have left since the one before, and answers how many events it may lease. */
  begin(ended: number): number {
    const commits = this.#commits;
    const isWritten = commits > 0 && commits >= minCommitsPerEvent * ended;
    const isPressed = this.#measureLoad() > busyShare && isWritten;
    if (this.#mode !== idle) this.#mode = isPressed ? pressed : usual;
    this.#begin = this.#monotonic();
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
  readonly #runtime: Pick<Runtime, "monotonic" | "timers">;
  readonly #ring: () => void;
  #cancel: CancelTimer | undefined;
  /** When it rings, by the monotonic time. */
  #time = 0;

  constructor(runtime: Pick<Runtime, "monotonic" | "timers">, ring: () => void) {
    this.#runtime = runtime;
    this.#ring = ring;
  }

  set(milliseconds: number): void {
    const time = this.#runtime.monotonic() + milliseconds;
    if (this.#cancel !== undefined && this.#time <= time) return;
    this.clear();
    this.#time = time;
    this.#cancel = this.#runtime.timers.after(milliseconds, () => {
      this.#cancel = undefined;
      this.#ring();
    });
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
