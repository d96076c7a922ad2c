/** Orders test files by how near their names are to a source file. */

/** A test file and how long it takes. */
export interface TimedTest {
  readonly test: string;
  readonly ms: number;
}

/** The tests with the most, and the rarest, words of a path first; among equals the fastest. */
export function orderByNearness(file: string, tests: readonly TimedTest[]): readonly TimedTest[] {
  const frequency = new Map<string, number>();
  for (const { test } of tests) for (const word of wordsOf(test)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const wanted = wordsOf(file);
  const score = ({ test }: TimedTest): number =>
    [...wordsOf(test)].reduce((sum, word) => sum + (wanted.has(word) ? 1 / (frequency.get(word) ?? 1) : 0), 0);
  return tests
    .map((one) => ({ one, score: score(one) }))
    .toSorted((a, b) => b.score - a.score || a.one.ms - b.one.ms)
    .map(({ one }) => one);
}

function wordsOf(path: string): Set<string> {
  const words = path.toLowerCase().split(/[^a-z0-9]+/);
  return new Set(
    words.map((word) => word.replace(/s$/, "")).filter((word) => !["", "ts", "test", "src", "adapter"].includes(word)),
  );
}
