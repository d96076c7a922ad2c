/** One sample of the metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses samples from the Prometheus text format. */
export function parseMetrics(text: string): readonly Sample[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.flatMap((line) => {
    const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: parseLabels(labels), value: Number(value) }];
  });
}

function parseLabels(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = "", value = ""]) => [name, value]));
}

/** Sums the samples of a metric whose labels match. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  fits: (labels: Sample["labels"]) => boolean = () => true,
): number {
  return samples.filter((sample) => sample.name === name && fits(sample.labels)).reduce((sum, { value }) => sum + value, 0);
}
