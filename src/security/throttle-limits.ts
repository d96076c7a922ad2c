import type { Runtime, Timers } from "../ports/runtime.js";
import { KeyMutex, pause } from "../shared/async.js";
import { assertKnownOptions, type OptionNames } from "../shared/known-options.js";
import { TtlCache } from "../shared/ttl-cache.js";

/** What can be attempted: a password, the code of a second factor, the secret of a client. */
export type AttemptKind = "login" | "twoFactor" | "clientSecret";

/**
 * How many failures there may be, and what happens then. The defaults, for logins, second factors and client secrets:
 * `maxFailures` 10, 5, 20; `maxFailuresPerSubject` 100, 10, 1,000; `maxFailuresPerSource` 100, 50, 200; `windowSeconds` and
 * `lockSeconds` 900, 900, 60; `slowAfter` 3; `maxDelayMs` 2,000. Limits may be `Infinity`.
 */
export interface ThrottleLimits {
  /** For one subject from one source. */
  readonly maxFailures: number;
  /** For one subject from all sources together; a source from which the subject succeeded within 30 days is let in nevertheless. */
  readonly maxFailuresPerSubject: number;
  /** From one source for all subjects together. */
  readonly maxFailuresPerSource: number;
  /** How long failures count, from the first on. */
  readonly windowSeconds: number;
  /** How long attempts are refused once there are too many failures. */
  readonly lockSeconds: number;
  /** After as many failures for one subject from one source each further attempt waits: 250 ms, then twice as long each time. */
  readonly slowAfter: number;
  /** The longest that an attempt waits; 0 slows none. */
  readonly maxDelayMs: number;
}

/** Limits by what is attempted: the default where nothing is said, none where it is `false`. */
export type ThrottleOptions = { readonly [Kind in AttemptKind]?: Partial<ThrottleLimits> | false | undefined };

/** Limits by what is attempted; undefined where nothing is counted. */
export type ThrottleSettings = Readonly<Record<AttemptKind, ThrottleLimits | undefined>>;

/** What counting and slowing need of a service. */
export interface ThrottleContext {
  readonly limits: ThrottleSettings;
  readonly waiting: DelayLimiter;
  readonly turns: InFlightAttempts;
  /** Subjects and sources that are let in without a look at what is counted, by what they are called. */
  readonly known: TtlCache<TrustedSource>;
}

const slowing = { slowAfter: 3, maxDelayMs: 2_000 };

const defaults: Readonly<Record<AttemptKind, ThrottleLimits>> = {
  login: {
    maxFailures: 10,
    // As many as NIST SP 800-63B, 5.2.2 lets pass at most.
    maxFailuresPerSubject: 100,
    maxFailuresPerSource: 100,
    windowSeconds: 900,
    lockSeconds: 900,
    ...slowing,
  },
  // The caller has already proved the password, so failures here cannot lock out anyone else. Codes are short.
  twoFactor: {
    maxFailures: 5,
    maxFailuresPerSubject: 10,
    maxFailuresPerSource: 50,
    windowSeconds: 900,
    lockSeconds: 900,
    ...slowing,
  },
  // Secrets are long and callers are machines: what is refused is noise, and what a wrong configuration makes must end soon.
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

/** Fills in the defaults. @throws TypeError naming the limit that is wrong. */
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

/** One thing that attempts are counted for: a subject at one source, a subject, or a source. */
export interface Counter {
  readonly of: "pair" | "subject" | "source";
  /** Made of a digest of what is counted. */
  readonly id: string;
  readonly limit: number;
}

/** A subject that succeeded from a source lately and has not failed since. */
export interface TrustedSource {
  /** The narrowest first. */
  readonly counters: readonly Counter[];
  readonly knownUntil: number;
}

/** What a service counts and slows attempts with, nothing of it in use yet. */
export function createThrottle(limits: ThrottleSettings, { monotonic, timers }: Runtime): ThrottleContext {
  const known = new TtlCache<TrustedSource>(monotonic);
  return { limits, waiting: new DelayLimiter(timers), turns: new InFlightAttempts(), known };
}

/** Where calls wait that are slowed: so many at a time, so that slowing one caller never exhausts the process for all. */
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

  /** Resolves after so many milliseconds: at once for none. */
  async wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    this.#taken++;
    await pause(this.#timers, milliseconds);
    this.#taken--;
  }
}

/** Attempts at one thing that are under way in this process, and those that wait to see what becomes of them. */
interface Place {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * The attempts in flight. An attempt that is counted may yet succeed, so a caller that it would block waits for its
 * end: many right attempts side by side are none too many. At most so many wait.
 */
class InFlightAttempts {
  readonly #maxWaiting: number;
  readonly #places = new Map<string, Place>();
  readonly #turns = new KeyMutex();
  #waiting = 0;

  constructor(maxWaiting = 1_000) {
    this.#maxWaiting = maxWaiting;
  }

  /** How many attempts are under way. */
  running(id: string): number {
    return this.#places.get(id)?.running ?? 0;
  }

  /** Whether there is something to wait for, and room to wait. */
  canWait(id: string): boolean {
    return this.running(id) > 0 && this.#waiting < this.#maxWaiting;
  }

  /** Resolves when one of the attempts under way is over. */
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

  /** One that is over makes room for one; after the last nobody has anything to wait for. */
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
