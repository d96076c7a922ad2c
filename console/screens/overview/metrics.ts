/** A line of the metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of a text in that format. */
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

/** The sum of what fits. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  fits: (labels: Sample["labels"]) => boolean = () => true,
): number {
  return samples.filter((sample) => sample.name === name && fits(sample.labels)).reduce((sum, { value }) => sum + value, 0);
}
