/** One number of a metric. */
export interface Sample {
  /** What stands behind the name of the metric: the parts of a histogram have one. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric and its numbers. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

/** The media type of {@link toExposition}. */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Metrics in the text format that collectors read, version 0.0.4. The usual library cannot show a histogram whose counts are there
 * already, and these are the few lines that would be left for it to do.
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
