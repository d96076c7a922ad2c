/** A value of a metric with its labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Parses samples from the Prometheus text format. */
export function parseMetrics(text: string): readonly Sample[] {
  return text.split("\n").flatMap((row) => {
    const found = row.startsWith("#") ? null : line.exec(row);
    if (found === null) return [];
    const labels = Object.fromEntries([...(found[2] ?? "").matchAll(label)].map(([, name = "", value = ""]) => [name, value]));
    return [{ name: found[1] ?? "", labels, value: Number(found[3]) }];
  });
}

/** Returns the number of runs in each bucket of a histogram, summed over all labels. Bounds are in seconds. */
export function bucketsOf(
  samples: readonly Sample[],
  name: string,
): { readonly bounds: readonly number[]; readonly counts: readonly number[] } {
  const sums = new Map<number, number>();
  for (const { labels, name: given, value } of samples) {
    const bound = Number(labels["le"]);
    if (given === `${name}_bucket` && Number.isFinite(bound)) sums.set(bound, (sums.get(bound) ?? 0) + value);
  }
  const bounds = [...sums.keys()].sort((left, right) => left - right);
  const counts = bounds.map(
    (bound, place) => (sums.get(bound) ?? 0) - (place === 0 ? 0 : (sums.get(bounds[place - 1] ?? 0) ?? 0)),
  );
  return { bounds, counts };
}
