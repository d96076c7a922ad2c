import type { LambdaPrincipal } from "../http/authenticate/principal.js";
import type { LambdaFailureKind, LambdaSettings } from "../ports/lambda-runner.js";
import type { Runtime } from "../ports/runtime.js";
import type { ApiRequest, ApiResponse } from "../ports/transport.js";
import { TtlCache } from "../shared/ttl-cache.js";
import { countOne, createOutcomeStatistics, type OutcomeStatistics } from "./metrics.js";

type AnswerLambda = (request: ApiRequest, principal: LambdaPrincipal) => Promise<ApiResponse | undefined>;

/** The values of one tenant that lambdas read. */
export interface LambdaValues {
  readonly constants: Readonly<Record<string, unknown>>;
  /** Opens a secret by its name; undefined for an unknown name. Absent for a tenant without secrets. */
  readonly openSecret: ((name: string) => string | undefined) | undefined;
}

/** The largest number of cached tenants: each may take 128 KiB. */
const maxTenants = 300;

/** The settings and statistics of one service's lambdas. */
export interface LambdaState extends LambdaSettings {
  /** The values of tenants, by tenant id: each run needs them. */
  readonly values: TtlCache<LambdaValues>;
  /** Answers a request of a lambda in process. */
  readonly answer: AnswerLambda;
  readonly breakers: LambdaBreakers;
  readonly counts: LambdaCounts;
}

/** The lambdas of a service at its start. `whenTenantsChange` registers a listener. */
export function startLambdas(
  { lambdas, runtime }: { readonly lambdas: LambdaSettings; readonly runtime: Pick<Runtime, "monotonic"> },
  answer: AnswerLambda,
  whenTenantsChange: (listener: () => void) => void,
): LambdaState {
  const values = new TtlCache<LambdaValues>(runtime.monotonic, maxTenants);
  whenTenantsChange(() => values.invalidate());
  return Object.freeze({ ...lambdas, answer, breakers: new LambdaBreakers(), counts: new LambdaCounts(), values });
}

const maxKills = 3;
const windowMs = 60_000;
const firstPauseMs = 10_000;
const maxPauseMs = 600_000;
const maxWatched = 1_000;

/** Identifies a version of a lambda: a changed lambda has a new version. */
interface LambdaVersionKey {
  readonly id: string;
  readonly version: string;
}

interface KindOfOutcome {
  readonly kind: LambdaFailureKind | "ok";
  readonly wasKilled?: boolean | undefined;
}

interface Watch {
  readonly version: string;
  kills: readonly number[];
  /** The duration of the last refusal; zero before the first. */
  pauseMs: number;
  refusedUntil: number;
}

/** Failures that kill a worker with other runs, or use up a run's whole time limit; others end by themselves. */
const killing: ReadonlySet<string> = new Set(["timedOut", "outOfMemory", "crashed"]);

/**
 * A circuit breaker for lambdas whose runs are killed: three kills within a minute open it for ten seconds, each further one for
 * twice as long, up to ten minutes. A successful run afterwards, or a change of the lambda, resets it. Each process has its own.
 */
export class LambdaBreakers {
  readonly #watched = new Map<string, Watch>();

  /** The end of a lambda's refusal, in epoch milliseconds; undefined when it may run. */
  refusedUntil({ id, version }: LambdaVersionKey, now: number): number | undefined {
    const watch = this.#watched.get(id);
    return watch?.version === version && now < watch.refusedUntil ? watch.refusedUntil : undefined;
  }

  /** Records the outcome of a run. Returns the end of the refusal where this run causes one. */
  note(lambda: LambdaVersionKey, outcome: KindOfOutcome, now: number): number | undefined {
    const { id, version } = lambda;
    const known = this.#watched.get(id);
    const watch = known?.version === version ? known : undefined;
    if (outcome.wasKilled === true || killing.has(outcome.kind)) return open(watch ?? this.#watch(lambda), now);
    const isWell = outcome.kind === "ok" && watch !== undefined && watch.pauseMs > 0 && now >= watch.refusedUntil;
    if (isWell) this.#watched.delete(id);
    return undefined;
  }

  countRefused(now: number): number {
    return [...this.#watched.values()].filter(({ refusedUntil }) => now < refusedUntil).length;
  }

  #watch({ id, version }: LambdaVersionKey): Watch {
    const [oldest] = this.#watched.keys();
    if (oldest !== undefined && this.#watched.size >= maxWatched) this.#watched.delete(oldest);
    const watch: Watch = { version, kills: [], pauseMs: 0, refusedUntil: 0 };
    this.#watched.set(id, watch);
    return watch;
  }
}

function open(watch: Watch, now: number): number | undefined {
  // The outcome of a run that began before the refusal is no news.
  if (now < watch.refusedUntil) return undefined;
  watch.kills = [...watch.kills.filter((instant) => instant > now - windowMs), now];
  if (watch.pauseMs === 0 && watch.kills.length < maxKills) return undefined;
  watch.pauseMs = watch.pauseMs === 0 ? firstPauseMs : Math.min(watch.pauseMs * 2, maxPauseMs);
  watch.refusedUntil = now + watch.pauseMs;
  return watch.refusedUntil;
}

type RunKind = LambdaFailureKind | "ok";

interface LambdaRunCounts extends Readonly<OutcomeStatistics<RunKind>> {
  /** The lambda's id; `other` for lambdas above the limit. */
  readonly lambdaId: string;
}

const maxLambdas = 1_000;
const others = "other";

/** Counts runs by lambda. */
export class LambdaCounts {
  readonly #lambdas = new Map<string, OutcomeStatistics<RunKind>>();

  note(lambdaId: string, kind: RunKind, milliseconds: number): void {
    countOne(this.#find(lambdaId), kind, milliseconds);
  }

  read(): readonly LambdaRunCounts[] {
    return Array.from(this.#lambdas, ([lambdaId, counts]) => ({ lambdaId, ...counts }));
  }

  #find(lambdaId: string): OutcomeStatistics<RunKind> {
    const name = this.#lambdas.size < maxLambdas || this.#lambdas.has(lambdaId) ? lambdaId : others;
    const counts = this.#lambdas.get(name) ?? createOutcomeStatistics<RunKind>();
    this.#lambdas.set(name, counts);
    return counts;
  }
}
