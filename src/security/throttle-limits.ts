import type { Runtime, Timers } from "../ports/runtime.js";
import { KeyMutex, pause } from "../shared/async.js";
import { assertKnownOptions, type OptionNames } from "../shared/known-options.js";
import { TtlCache } from "../shared/ttl-cache.js";

/** The kinds of attempts: passwords, codes of second factors, client secrets. */
export type AttemptKind = "login" | "twoFactor" | "clientSecret";

/**
 * The limits of failures, and the consequences. The defaults, for logins, second factors and client secrets: `maxFailures` 10,
 * 5, 20; `maxFailuresPerSubject` 100, 10, 1,000; `maxFailuresPerSource` 100, 50, 200; `windowSeconds` and `lockSeconds` 900,
 * 900, 60; `slowAfter` 3; `maxDelayMs` 2,000. Limits may be `Infinity`.
 */
export interface ThrottleLimits {
  /** For one subject from one source. */
  readonly maxFailures: number;
  /** For one subject from all sources together; sources with a success of the subject within 30 days stay allowed. */
  readonly maxFailuresPerSubject: number;
  /** From one source for all subjects together. */
  readonly maxFailuresPerSource: number;
  /** The period in which failures count, from the first on. */
  readonly windowSeconds: number;
  /** The duration of the lockout after too many failures. */
  readonly lockSeconds: number;
  /**
   * The number of failures for one subject from one source after which attempts are delayed: by 250 ms, then twice as long each
   * time.
   */
  readonly slowAfter: number;
  /** The maximum delay of an attempt; 0 for none. */
  readonly maxDelayMs: number;
}

/** Limits by kind of attempt: the defaults if absent, none if `false`. */
export type ThrottleOptions = { readonly [Kind in AttemptKind]?: Partial<ThrottleLimits> | false | undefined };

/** Limits by kind of attempt; undefined without limits. */
export type ThrottleSettings = Readonly<Record<AttemptKind, ThrottleLimits | undefined>>;

/** The state of throttling in a service. */
export interface ThrottleContext {
  readonly limits: ThrottleSettings;
  readonly waiting: DelayLimiter;
  readonly turns: InFlightAttempts;
  /** Trusted subjects and sources, by name; they skip the counters. */
  readonly known: TtlCache<TrustedSource>;
}

const slowing = { slowAfter: 3, maxDelayMs: 2_000 };

const defaults: Readonly<Record<AttemptKind, ThrottleLimits>> = {
  login: {
    maxFailures: 10,
    // The maximum of NIST SP 800-63B, 5.2.2.
    maxFailuresPerSubject: 100,
    maxFailuresPerSource: 100,
    windowSeconds: 900,
    lockSeconds: 900,
    ...slowing,
  },
  // The caller has already proved the password, so failures here cannot lock out other users. Codes are short.
  twoFactor: {
    maxFailures: 5,
    maxFailuresPerSubject: 10,
    maxFailuresPerSource: 50,
    windowSeconds: 900,
    lockSeconds: 900,
    ...slowing,
  },
  // Secrets are long and callers are machines: refused attempts are noise, and a wrong configuration must recover soon.
  clientSecret: {
    maxFailures: 20,
    maxFailuresPerSubject: 1_000,
    maxFailuresPerSource: 200,
    windowSeconds: 60,
    lockSeconds: 60,
    ...slowing,
  },
};

const kinds: OptionNames<ThrottleOptions> = { clientSecret: true, login: true, twoFactor: true };

const limitNames: OptionNames<ThrottleLimits> = {
  lockSeconds: "number",
  maxDelayMs: "number",
  maxFailures: "number",
  maxFailuresPerSource: "number",
  maxFailuresPerSubject: "number",
  slowAfter: "number",
  windowSeconds: "number",
};

/** Applies the defaults. @throws TypeError that names the invalid limit. */
export function parseThrottle(options: ThrottleOptions | false | undefined): ThrottleSettings {
  if (options !== false) assertKnownOptions("throttle", options, kinds);
  const limitsOf = (kind: AttemptKind): ThrottleLimits | undefined => {
    const given = options === false ? false : options?.[kind];
    if (given === false) return undefined;
    assertKnownOptions<Partial<ThrottleLimits>>(`throttle.${kind}`, given, limitNames);
    const limits = Object.freeze({ ...defaults[kind], ...given });
    for (const [name, value] of Object.entries(limits)) assertLimit(`throttle.${kind}.${name}`, value);
    return limits;
  };
  return Object.freeze({
    login: limitsOf("login"),
    twoFactor: limitsOf("twoFactor"),
    clientSecret: limitsOf("clientSecret"),
  });
}

function assertLimit(name: string, value: number): void {
  const isCount = name.includes(".maxFailures") || name.endsWith(".slowAfter");
  const least = name.endsWith(".slowAfter") || name.endsWith(".maxDelayMs") ? 0 : 1;
  if (value >= least && (Number.isSafeInteger(value) || (isCount && value === Number.POSITIVE_INFINITY))) return;
  throw new TypeError(`${name} must be a whole number from ${least} on${isCount ? ", or Infinity" : ""}.`);
}

/** A counter of attempts for a subject at a source, a subject, or a source. */
export interface Counter {
  readonly of: "pair" | "subject" | "source";
  /** Derived from a digest of the subject and source. */
  readonly id: string;
  readonly limit: number;
}

/** A source with a recent success of a subject and no failure since. */
export interface TrustedSource {
  /** The narrowest first. */
  readonly counters: readonly Counter[];
  readonly knownUntil: number;
}

/** Creates the state of throttling, with empty counters. */
export function createThrottle(limits: ThrottleSettings, { monotonic, timers }: Runtime): ThrottleContext {
  const known = new TtlCache<TrustedSource>(monotonic);
  return { limits, waiting: new DelayLimiter(timers), turns: new InFlightAttempts(), known };
}

/** Limits the number of delayed calls, so that they cannot exhaust the process. */
class DelayLimiter {
  readonly #timers: Timers;
  readonly #seats: number;
  #taken = 0;

  constructor(timers: Timers, seats = 100) {
    this.#timers = timers;
    this.#seats = seats;
  }

  get isFull(): boolean {
    return this.#taken >= this.#seats;
  }

  /** Resolves after the delay, in milliseconds; at once for 0. */
  async wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    this.#taken++;
    await pause(this.#timers, milliseconds);
    this.#taken--;
  }
}

/** The attempts in flight for one counter in this process, and the calls that wait for their results. */
interface Place {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * The attempts in flight. A counted attempt may still succeed, so a caller that it would block waits for its end: concurrent
 * correct attempts must not exceed the limit. The number of waiting calls is limited.
 */
class InFlightAttempts {
  readonly #maxWaiting: number;
  readonly #places = new Map<string, Place>();
  readonly #turns = new KeyMutex();
  #waiting = 0;

  constructor(maxWaiting = 1_000) {
    this.#maxWaiting = maxWaiting;
  }

  /** The number of attempts in flight. */
  running(id: string): number {
    return this.#places.get(id)?.running ?? 0;
  }

  /** Whether there is an attempt in flight, and room to wait for it. */
  canWait(id: string): boolean {
    return this.running(id) > 0 && this.#waiting < this.#maxWaiting;
  }

  /** Resolves when one of the attempts in flight ends. */
  async next(id: string): Promise<void> {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#waiting++;
    await new Promise<void>((resolve) => place.waiting.push(resolve));
    this.#waiting--;
  }

  /** Runs `work` after other work on the same key has ended, so that its reads stay valid until it writes. */
  inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(id, work);
  }

  enter(ids: readonly string[]): void {
    for (const id of ids) {
      const place = this.#places.get(id) ?? { running: 0, waiting: [] };
      place.running++;
      this.#places.set(id, place);
    }
  }

  /** Each ended attempt wakes one waiting call, the last one all of them. */
  leave(ids: readonly string[]): void {
    for (const id of ids) {
      const place = this.#places.get(id);
      if (place === undefined) continue;
      place.running--;
      if (place.running === 0) this.#places.delete(id);
      for (const resolve of place.waiting.splice(0, place.running === 0 ? place.waiting.length : 1)) resolve();
    }
  }
}
