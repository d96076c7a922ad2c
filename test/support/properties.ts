import fc from "fast-check";

const extent = process.env.LATCHKEY_LONG_TESTS;

/** Whether this is a run of all: `npm run test:whole` and `npm run walks` set `LATCHKEY_LONG_TESTS=all`. */
export const isWhole: boolean = extent === "all";

/**
 * Whether this is a run of CI, or of all. By default properties are tried with few cases and walks take a part of their steps, so that
 * `npm test` is short. `npm run test:long` sets `LATCHKEY_LONG_TESTS=1`, and runs the test files that import this module.
 */
export const isLong: boolean = extent === "1" || isWhole;

const fewCases = 10;
const usualCases = 100;

// The few cases are the same in each run, of a seed with which each property meets what it is about. The many differ: a failure prints the seed
// that repeats it.
const seed = 20;

fc.configureGlobal(isLong ? { numRuns: usualCases } : { numRuns: fewCases, seed });

/** How many cases a property is tried with: `count` in full, `inCi` in CI, which is as many unless they take long. */
export function cases(count: number, inCi: number = count): { readonly numRuns: number } {
  if (isWhole) return { numRuns: count };
  return { numRuns: isLong ? inCi : Math.min(count, fewCases) };
}

/** Of how many steps a walk takes one: by default, and in CI, which takes all unless they take long. */
type Every = number | readonly [byDefault: number, inCi: number];

/** The steps of a walk that this run takes, all in full. `start` tells walks apart that share their steps. */
export function steps<Step>(all: readonly Step[], every: Every, start = 0): readonly Step[] {
  const stride = strideOf(every);
  return all.filter((_, index) => (index + start) % stride === 0);
}

/** Of how many steps this run takes one. */
export function strideOf(every: Every): number {
  if (isWhole) return 1;
  if (typeof every === "number") return isLong ? 1 : every;
  return every[isLong ? 1 : 0];
}

const surrogates = { first: 0xd800, count: 0x800 } as const;

/** Any code point, as the unit of a text. The library's own `"binary"` takes half a second to begin with. */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
  (place) => String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count),
  (text) => {
    const point = typeof text === "string" && [...text].length === 1 ? text.codePointAt(0) : undefined;
    if (point === undefined) throw new Error("It is no character.");
    return point < surrogates.first ? point : point - surrogates.count;
  },
);

export { fc };
