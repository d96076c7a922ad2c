import { availableParallelism } from "node:os";
import type { OptionNames } from "latchkey";

/** Options common to all runners. */
export interface LambdaPoolOptions {
  /** How many guests run scripts at once. Default: the number of cores, from 2 to 4. */
  readonly processes?: number;
  /** How long an idle guest lives, in milliseconds. Default 60,000. */
  readonly idleMilliseconds?: number;
  /** The most waiting runs in all; further runs are `refused`. Default 10,000. */
  readonly maxWaiting?: number;
  /** The most waiting runs of one tenant. Default 1,000. */
  readonly maxWaitingPerTenant?: number;
  /**
   * `realm`: the scripts of a tenant share a frozen realm, and each call has a fresh closure. `context`: each call has its own
   * context, for scripts that change built-ins; more than ten times slower. Default `realm`.
   */
  readonly isolation?: "realm" | "context";
}

/** Validated options with their defaults. */
export interface PoolSettings extends Required<LambdaPoolOptions> {
  /** How long after its deadline a run is ended by force: the guest's engine may end it first. */
  readonly graceMilliseconds: number;
  /** A guest above this real memory is replaced after its run; a guest above 1.5 times this plus the run's heap is killed. */
  readonly guestMebibytes: number;
}

/** The names of {@link LambdaPoolOptions}. */
export const poolOptionNames: OptionNames<LambdaPoolOptions> = {
  idleMilliseconds: "number",
  isolation: "text",
  maxWaiting: "number",
  maxWaitingPerTenant: "number",
  processes: "number",
};

const bounds = {
  processes: [1, 64],
  idleMilliseconds: [1, 2_147_483_647],
  maxWaiting: [1, 10_000_000],
  maxWaitingPerTenant: [1, 10_000_000],
} as const;

/**
 * Fills in the defaults.
 * @throws TypeError naming the option that is wrong.
 */
export function toPoolOptions(options: LambdaPoolOptions): Required<LambdaPoolOptions> {
  const complete = {
    processes: Math.min(4, Math.max(2, availableParallelism())),
    idleMilliseconds: 60_000,
    maxWaiting: 10_000,
    maxWaitingPerTenant: 1_000,
    isolation: "realm" as const,
    ...withoutAbsent(options),
  };
  for (const [name, bound] of Object.entries(bounds)) checkInteger(name, complete[name as keyof typeof bounds], bound);
  if (!["realm", "context"].includes(complete.isolation)) throw new TypeError('isolation must be "realm" or "context".');
  return Object.freeze(complete);
}

/**
 * Checks a number.
 * @throws TypeError naming it.
 */
export function checkInteger(name: string, value: unknown, [least, most]: readonly [number, number]): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
    throw new TypeError(`${name} must be a whole number from ${least} to ${most}.`);
}

function withoutAbsent<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** The interval of checks of guests. */
export const tickMilliseconds = 10;

/** A clock that pauses while the host's own event loop is blocked, which must not count against a guest. */
export class PoolClock {
  #passed = 0;
  #lastTick = performance.now();

  /** Call it every {@link tickMilliseconds}. */
  tick(): void {
    const { now } = this;
    this.#passed = now;
    this.#lastTick = performance.now();
  }

  /** Milliseconds since an arbitrary instant. */
  get now(): number {
    return this.#passed + Math.min(performance.now() - this.#lastTick, 2.5 * tickMilliseconds);
  }
}
