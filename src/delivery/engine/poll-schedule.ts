import type { CancelTimer, EventLoopMonitor, Runtime } from "../../ports/runtime.js";

/** The milliseconds between polls, and the most events per poll. */
const usual = { interval: 20, limit: 256 };
/** Without receivers: events only have to leave the storage. */
const idle = { interval: 250, limit: 1_000 };
/** While other calls use the capacity of this process: writes come first, events leave a little later. */
const pressed = { interval: 100, limit: 16 };
/** The number of commits for each event that leaves meanwhile. */
const commitsPerEvent = 12;

const busyShare = 0.7;
/** With fewer commits for each event that leaves, delivery is not slowed. */
const minCommitsPerEvent = 0.25;

/** Schedules the polls of a queue, and limits their leases. */
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

  countCommit(): void {
    this.#commits++;
  }

  /** Milliseconds until the next poll; 0 or less: poll now. `isEager`: more is due than one poll takes. */
  timeLeft(isEager: boolean): number {
    return isEager && this.#mode !== pressed ? 0 : this.#begin + this.#mode.interval - this.#monotonic();
  }

  /** Begins a poll; `ended` events have left since the one before. Returns the most events to lease. */
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

/** A timer for the earliest of the times set since it last fired. Never keeps the process alive. */
export class EarliestTimer {
  readonly #runtime: Pick<Runtime, "monotonic" | "timers">;
  readonly #ring: () => void;
  #cancel: CancelTimer | undefined;
  /** The monotonic time at which it fires. */
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
