import fc from "fast-check";

const extent = process.env.LATCHKEY_LONG_TESTS;

/** Whether this is a full run: `npm run test:whole` and `npm run walks` set `LATCHKEY_LONG_TESTS=all`. */
export const isWhole: boolean = extent === "all";

/**
 * Whether this is a CI run or a full run. By default properties have few cases and walks skip steps, so that `npm test` is short.
 * `npm run test:long` sets `LATCHKEY_LONG_TESTS=1`, and runs the test files that import this module.
 */
export const isLong: boolean = extent === "1" || isWhole;

const fewCases = 10;
const usualCases = 100;

// The few cases have a fixed seed that exercises each property. The many differ in each run: a failure prints the seed that
// repeats it.
const seed = 20;

fc.configureGlobal(isLong ? { numRuns: usualCases } : { numRuns: fewCases, seed });

/** The number of cases of a property: `count` in full runs, `inCi` in CI (the same unless they are slow). */
export function cases(count: number, inCi: number = count): { readonly numRuns: number } {
  if (isWhole) return { numRuns: count };
  return { numRuns: isLong ? inCi : Math.min(count, fewCases) };
}

/** Take one of this many steps: by default, and in CI, which takes all unless they are slow. */
type Every = number | readonly [byDefault: number, inCi: number];

/** The steps of a walk in this run; all in full runs. Walks that share steps use a different `start`. */
export function steps<Step>(all: readonly Step[], every: Every, start = 0): readonly Step[] {
  const stride = strideOf(every);
  return all.filter((_, index) => (index + start) % stride === 0);
}

/** This run takes one of this many steps. */
export function strideOf(every: Every): number {
  if (isWhole) return 1;
  if (typeof every === "number") return isLong ? 1 : every;
  return every[isLong ? 1 : 0];
}

const surrogates = { first: 0xd800, count: 0x800 } as const;

/** Any code point, as the unit of a text. The library's own `"binary"` needs half a second to start. */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
  (place) => String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count),
  (text) => {
    const point = typeof text === "string" && [...text].length === 1 ? text.codePointAt(0) : undefined;
    if (point === undefined) throw new Error("It is no character.");
    return point < surrogates.first ? point : point - surrogates.count;
  },
);

export { fc };
