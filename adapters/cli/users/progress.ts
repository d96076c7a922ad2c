import type { Terminal } from "../command/command.js";

/** The progress of some work. */
export interface Step {
  readonly what: string;
  readonly done: number;
  /** Undefined while unknown. */
  readonly total: number | undefined;
}

const width = 20;
const watchedMs = 200;
const plainMs = 10_000;

/** The part of a terminal that is used. */
type Watched = Pick<Terminal, "isWatched" | "say" | "status">;

/** Reports progress: in one changing line on a terminal, else in a line from time to time. */
export class Progress {
  readonly #terminal: Watched;
  #began = { what: "", instant: 0, done: 0 };
  #lastInstant: number | undefined;

  constructor(terminal: Watched) {
    this.#terminal = terminal;
  }

  /** Reports progress, unless it did so a moment ago. */
  show({ done, total, what }: Step): void {
    const now = Date.now();
    if (this.#began.what !== what) this.#began = { what, instant: now, done };
    const { isWatched, say, status } = this.#terminal;
    this.#lastInstant ??= isWatched ? 0 : now;
    if (now - this.#lastInstant < (isWatched ? watchedMs : plainMs)) return;
    this.#lastInstant = now;
    const rate = ((done - this.#began.done) / Math.max(1, now - this.#began.instant)) * 1_000;
    const line = toLine({ done, total, what }, rate, isWatched);
    if (isWatched) status(line);
    else say(line);
  }

  /** Removes the changing line. */
  end(): void {
    if (this.#terminal.isWatched) this.#terminal.status("");
  }
}

function toLine({ done, total, what }: Step, rate: number, hasBar: boolean): string {
  const count = new Intl.NumberFormat("en").format(done);
  const speed = rate >= 1 ? `, ${new Intl.NumberFormat("en").format(Math.round(rate))}/s` : "";
  if (total === undefined || total === 0) return `${what}: ${count}${speed}`;
  const share = Math.min(1, done / total);
  const bar = hasBar ? `[${"#".repeat(Math.round(share * width)).padEnd(width, ".")}] ` : "";
  const left = rate >= 1 && share < 1 ? `, ${toDuration((total - done) / rate)} left` : "";
  return `${what}: ${bar}${Math.floor(share * 100)} %, ${count}${speed}${left}`;
}

function toDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
}
