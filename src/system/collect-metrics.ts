import { durationBounds, type OutcomeStatistics, type RouteCounts } from "../operations/metrics.js";
import { eventsTable, setAsideTable } from "../operations/outbox/tables.js";
import type { ServiceContext } from "../operations/service-context.js";
import type { Timers } from "../ports/runtime.js";
import { globalScope, type IndexProgress, type Storage, StorageUnavailable, type Table } from "../ports/storage.js";
import { within } from "../shared/async.js";

/** Collects all metrics of a service. An unreachable storage is a metric too. */
export async function collectMetrics(service: ServiceContext): Promise<readonly Metric[]> {
  const { measurements, version } = service;
  const counts = measurements.requests.read();
  return [
    gauge("latchkey_info", "The version of the reference that the service behaves like.", 1, { version }),
    ...requestMetrics(counts),
    gauge("latchkey_known_api_keys", "API keys that are remembered, which spares looking them up.", measurements.knownKeys()),
    deliveryMetric(service),
    breachMetric(service),
    ...lambdaMetrics(service),
    ...(await storageMetrics(service)),
    ...replicaMetrics(service),
    ...processMetrics(),
  ];
}

function requestMetrics(counts: readonly RouteCounts[]): readonly Metric[] {
  const requests: Metric = {
    name: "latchkey_http_requests_total",
    help: "Requests that were answered, by route, method and status.",
    type: "counter",
    samples: counts.flatMap(({ method, path, outcomes }) =>
      Array.from(outcomes, ([status, value]) => ({ labels: { method, route: path, status: String(status) }, value })),
    ),
  };
  const durations: Metric = {
    name: "latchkey_http_request_duration_seconds",
    help: "How long requests took from their arrival to their answer.",
    type: "histogram",
    samples: counts.flatMap((route) => toHistogram(route, { method: route.method, route: route.path })),
  };
  return [requests, durations];
}

function toHistogram(
  { buckets, totalMs }: Readonly<OutcomeStatistics<unknown>>,
  labels: NonNullable<Sample["labels"]>,
): readonly Sample[] {
  let count = 0;
  const upTo: Sample[] = buckets.map((inBucket, index) => {
    const bound = durationBounds[index];
    count += inBucket;
    return { suffix: "_bucket", labels: { le: bound === undefined ? "+Inf" : String(bound / 1_000), ...labels }, value: count };
  });
  return [...upTo, { suffix: "_sum", labels, value: totalMs / 1_000 }, { suffix: "_count", labels, value: count }];
}

function breachMetric({ measurements }: ServiceContext): Metric {
  return {
    name: "latchkey_breach_range_requests_total",
    help: "Requests to the range service of breached passwords, by whether it answered.",
    type: "counter",
    samples: Object.entries(measurements.breachRanges).map(([outcome, value]) => ({ labels: { outcome }, value })),
  };
}

function deliveryMetric({ measurements }: ServiceContext): Metric {
  return {
    name: "latchkey_event_deliveries_total",
    help: "Attempts to deliver events, by how they ended.",
    type: "counter",
    samples: Object.entries(measurements.deliveries.read()).map(([outcome, value]) => ({ labels: { outcome }, value })),
  };
}

function lambdaMetrics({ lambdas, runtime }: ServiceContext): readonly Metric[] {
  const counts = lambdas.counts.read();
  const { guests, waiting, killed } = lambdas.runner.readState();
  return [
    {
      name: "latchkey_lambda_runs_total",
      help: "Runs of lambdas, by lambda and how they ended.",
      type: "counter",
      samples: counts.flatMap(({ lambdaId: lambda, outcomes }) =>
        Array.from(outcomes, ([outcome, value]) => ({ labels: { lambda, outcome }, value })),
      ),
    },
    {
      name: "latchkey_lambda_run_duration_seconds",
      help: "How long runs of lambdas took, the time that they waited for a guest included.",
      type: "histogram",
      samples: counts.flatMap((runs) => toHistogram(runs, { lambda: runs.lambdaId })),
    },
    gauge("latchkey_lambda_guests", "Processes or threads that run lambdas, spares among them.", guests),
    gauge("latchkey_lambda_waiting_runs", "Runs of lambdas that wait for a guest.", waiting),
    {
      name: "latchkey_lambda_guests_killed_total",
      help: "Guests that had to be killed.",
      type: "counter",
      samples: [{ value: killed }],
    },
    gauge(
      "latchkey_lambda_open_breakers",
      "Lambdas that are refused for a while, since their runs had to be killed.",
      lambdas.breakers.countRefused(runtime.clock()),
    ),
  ];
}

async function storageMetrics({ runtime, storage }: ServiceContext): Promise<readonly Metric[]> {
  const began = runtime.monotonic();
  const isUp = await pingStorage(storage, runtime.timers).catch(() => false);
  const up = gauge("latchkey_storage_up", "Whether the storage answers.", Number(isUp));
  if (!isUp) return [up];
  const ping = gauge(
    "latchkey_storage_ping_seconds",
    "How long the storage took to answer.",
    (runtime.monotonic() - began) / 1_000,
  );
  const count = async (table: Table): Promise<number> =>
    (await storage.search(globalScope, table, { sort: [], limit: 0, offset: 0 })).total;
  const indexes = await readIndexes(storage, runtime.timers);
  return [
    up,
    ping,
    {
      name: "latchkey_storage_indexes",
      help: "Indexes for searches that the process makes or has made, by state.",
      type: "gauge",
      samples: (["building", "failed", "ready"] as const).map((state) => ({
        labels: { state },
        value: indexes.filter((index) => index.state === state).length,
      })),
    },
    gauge("latchkey_outbox_events", "Events that the outbox holds.", await count(eventsTable)),
    gauge(
      "latchkey_set_aside_records",
      "Events, mails and texts that could not be delivered and were set aside.",
      await count(setAsideTable),
    ),
  ];
}

function replicaMetrics({ storage }: ServiceContext): readonly Metric[] {
  const outcomes = storage.readReplicaOutcomes?.();
  if (outcomes === undefined) return [];
  return [
    {
      name: "latchkey_storage_replica_reads_total",
      help: "Reads that replicas served, and those that the primary served in their place, by reason.",
      type: "counter",
      samples: Object.entries(outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
  ];
}

function processMetrics(): readonly Metric[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const cpu = "CPU time of the process.";
  return [
    { name: "process_cpu_seconds_total", help: cpu, type: "counter", samples: [{ value: (user + system) / 1e6 }] },
    gauge("process_resident_memory_bytes", "Memory of the process.", rss),
    gauge("process_start_time_seconds", "When the process started.", Math.round(performance.timeOrigin / 1_000)),
    gauge("nodejs_heap_size_used_bytes", "Heap of the process that is in use.", heapUsed),
  ];
}

function gauge(name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): Metric {
  return { name, help, type: "gauge", samples: [{ labels, value }] };
}

/** Returns the indexes that a storage creates; none if it does not respond. */
export async function readIndexes(storage: Storage, timers: Timers): Promise<readonly IndexProgress[]> {
  const answer = storage.readIndexProgress?.().catch(() => []) ?? Promise.resolve([]);
  return within(timers, maxPingMs, { work: answer, late: [] });
}

/** The timeout of a ping, in milliseconds. */
const maxPingMs = 5_000;

/** Whether a storage responds in time. Rejects for errors other than an unreachable storage. */
export async function pingStorage(storage: Storage, timers: Timers): Promise<boolean> {
  const answer = storage.ping().then(
    () => true,
    (error: unknown) => {
      if (error instanceof StorageUnavailable) return false;
      throw error;
    },
  );
  return within(timers, maxPingMs, { work: answer, late: false });
}

/** One sample of a metric. */
interface Sample {
  /** The suffix of the metric's name, for the parts of a histogram. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with its samples. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

/** The media type of {@link toExposition}. */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Formats metrics in the Prometheus text format, version 0.0.4. The usual library cannot render a histogram from existing counts,
 * and would save only these few lines.
 */
export function toExposition(metrics: readonly Metric[]): string {
  return metrics.map(toLines).join("\n");
}

function toLines({ name, help, type, samples }: Metric): string {
  const head = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`];
  const lines = samples.map(({ suffix = "", labels = {}, value }) => `${name}${suffix}${toLabels(labels)} ${toNumber(value)}`);
  return [...head, ...lines, ""].join("\n");
}

function toLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeHelp(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function toNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
