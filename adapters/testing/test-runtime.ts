import { hash } from "node:crypto";
import type { Random } from "latchkey/ports";

/** A duration: the sum of its members. */
export interface Duration {
  /** Days of 24 hours. */
  readonly days?: number;
  /** Hours. */
  readonly hours?: number;
  /** Minutes. */
  readonly minutes?: number;
  /** Seconds. */
  readonly seconds?: number;
  /** Milliseconds. */
  readonly milliseconds?: number;
}

/** A clock that only the test moves. */
export interface TestClock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Moves the clock by milliseconds or by a duration. Work that becomes due on the way runs at its due instant. */
  advance(by: number | Duration): Promise<void>;
  /** Moves the clock to an instant, in epoch milliseconds. Moving it back runs no work in between. */
  set(instant: number | Date): Promise<void>;
}

const milliseconds: Readonly<Record<keyof Duration, number>> = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
};

function toMilliseconds(duration: number | Duration): number {
  if (typeof duration === "number") return duration;
  const names = Object.keys(milliseconds) as (keyof Duration)[];
  return names.reduce((sum, name) => sum + milliseconds[name] * (duration[name] ?? 0), 0);
}

/** A clock at an instant. `settle` runs due work and returns the next due instant. */
export function createTestClock(start: number | Date, settle: () => Promise<number | undefined>): TestClock {
  let instant = Number(start);
  const set = async (target: number): Promise<void> => {
    if (Number.isNaN(target)) throw new TypeError("A clock is set to an instant in epoch milliseconds.");
    if (target > instant) for (let due = await settle(); due !== undefined && due <= target; due = await settle()) instant = due;
    instant = target;
    await settle();
  };
  return {
    now: () => instant,
    set: (target) => set(Number(target)),
    advance: (by) => set(instant + toMilliseconds(by)),
  };
}

/** Reproducible bytes from a seed, for tests only. */
export function createSeededRandom(seed: string): Random {
  let made = 0;
  let rest: Uint8Array = new Uint8Array();
  return (length) => {
    const blocks = [rest];
    for (let size = rest.length; size < length; size += 64) blocks.push(hash("sha512", `${seed} ${++made}`, "buffer"));
    const bytes = Buffer.concat(blocks);
    rest = bytes.subarray(length);
    return Uint8Array.from(bytes.subarray(0, length));
  };
}
