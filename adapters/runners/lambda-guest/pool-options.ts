import { availableParallelism } from "node:os";
import type { OptionNames } from "latchkey";

/** Options common to all runners. */
export interface LambdaPoolOptions {
  /** How many guests run scripts at once. Default: as many as there are cores, from 2 to 4. */
  readonly processes?: number;
  /** A guest without work ends after so long. Default 60,000. */
  readonly idleMilliseconds?: number;
  /** Runs that may wait for a guest, in all; what is beyond is `refused`. Default 10,000. */
  readonly maxWaiting?: number;
  /** Runs that may wait for one tenant. Default 1,000. */
  readonly maxWaitingPerTenant?: number;
  /**
   * `realm`: the scripts of a tenant share a frozen realm, and each call has a fresh closure. `context`: each call has a context of its
   * own, for scripts that change what is built in; more than ten times as slow. Default `realm`.
   */
  readonly isolation?: "realm" | "context";
}

/** Options that are complete and checked. */
export interface PoolSettings extends Required<LambdaPoolOptions> {
  /** How long after its deadline a run is ended by force: the engine of a guest may end it first. */
  readonly graceMilliseconds: number;
  /** A guest that really uses more memory is replaced after its run; one that uses half as much again is killed. */
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
  for (const [name, [least, most]] of Object.entries(bounds))
    checkInteger(name, complete[name as keyof typeof bounds], least, most);
  if (!["realm", "context"].includes(complete.isolation)) throw new TypeError('isolation must be "realm" or "context".');
  return Object.freeze(complete);
}

/**
 * Checks a number.
 * @throws TypeError naming it.
 */
export function checkInteger(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
    throw new TypeError(`${name} must be a whole number from ${least} to ${most}.`);
}

function withoutAbsent<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

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
