import type { LambdaPrincipal } from "../http/authenticate/principal.js";
import type { LambdaFailureKind, LambdaSettings } from "../ports/lambda-runner.js";
import type { Runtime } from "../ports/runtime.js";
import type { ApiRequest, ApiResponse } from "../ports/transport.js";
import { TtlCache } from "../shared/ttl-cache.js";
import { countOne, createOutcomeStatistics, type OutcomeStatistics } from "./metrics.js";

type AnswerLambda = (request: ApiRequest, principal: LambdaPrincipal) => Promise<ApiResponse | undefined>;

/** What lambdas read of one tenant. */
export interface LambdaValues {
  readonly constants: Readonly<Record<string, unknown>>;
  /** Opens a secret by its name; undefined where the tenant has none of the name. Absent where it has none at all. */
  readonly openSecret: ((name: string) => string | undefined) | undefined;
}

/** So many tenants are cached: each may hold 128 KiB. */
const maxTenants = 300;

/** How the lambdas of one service are run, and how they fared. */
export interface LambdaState extends LambdaSettings {
  /** What lambdas read of their tenants, by the ids of these: asked for with each run. */
  readonly values: TtlCache<LambdaValues>;
  /** Answers a request that a lambda makes in process. */
  readonly answer: AnswerLambda;
  readonly breakers: LambdaBreakers;
  readonly counts: LambdaCounts;
}

/** The lambdas of a service at its start. `whenTenantsChange` takes what is called with each change of a tenant. */
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

/** Identifies a version of a lambda: a changed lambda is another one. */
interface LambdaVersionKey {
  readonly id: string;
  readonly version: string;
}

/** What a breaker asks of an outcome. */
interface KindOfOutcome {
  readonly kind: LambdaFailureKind | "ok";
  readonly wasKilled?: boolean | undefined;
}

interface Watch {
  readonly version: string;
  /** When its runs were killed, of late. */
  kills: readonly number[];
  /** How long it was refused the last time; zero before the first. */
  pauseMs: number;
  refusedUntil: number;
}

/** Failures that cost other runs a guest, or use up a guest's whole time limit; all other failures end by themselves. */
const killing: ReadonlySet<string> = new Set(["timedOut", "outOfMemory", "crashed"]);

/**
 * Refuses lambdas whose runs have to be killed: three within a minute are refused for ten seconds, and twice as long with each further
 * one, up to ten minutes. A run that ends well afterwards, or a change of the lambda, starts afresh. Each process has its own.
 */
export class LambdaBreakers {
  readonly #watched = new Map<string, Watch>();

  /** Until when a lambda is refused, in epoch milliseconds; undefined when it may run. */
  refusedUntil({ id, version }: LambdaVersionKey, now: number): number | undefined {
    const watch = this.#watched.get(id);
    return watch?.version === version && now < watch.refusedUntil ? watch.refusedUntil : undefined;
  }

  /** Notes what became of a run. Answers until when the lambda is refused where this run is the reason. */
  note(lambda: LambdaVersionKey, outcome: KindOfOutcome, now: number): number | undefined {
    const { id, version } = lambda;
    const known = this.#watched.get(id);
    const watch = known?.version === version ? known : undefined;
    if (outcome.wasKilled === true || killing.has(outcome.kind)) return open(watch ?? this.#watch(lambda), now);
    const isWell = outcome.kind === "ok" && watch !== undefined && watch.pauseMs > 0 && now >= watch.refusedUntil;
    if (isWell) this.#watched.delete(id);
    return undefined;
  }

  /** How many lambdas are refused. */
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
  // Runs that began before the refusal say nothing new.
  if (now < watch.refusedUntil) return undefined;
  watch.kills = [...watch.kills.filter((instant) => instant > now - windowMs), now];
  if (watch.pauseMs === 0 && watch.kills.length < maxKills) return undefined;
  watch.pauseMs = watch.pauseMs === 0 ? firstPauseMs : Math.min(watch.pauseMs * 2, maxPauseMs);
  watch.refusedUntil = now + watch.pauseMs;
  return watch.refusedUntil;
}

/** How a run of a lambda ended. */
type RunKind = LambdaFailureKind | "ok";

/** What was counted of the runs of one lambda. */
interface LambdaRunCounts extends Readonly<OutcomeStatistics<RunKind>> {
  /** Its id; `other` for all that came when enough were known. */
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

  /** What was counted since the service started. */
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
