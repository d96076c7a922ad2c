import fc from "fast-check";

/**
 * Whether tests run in full. By default properties are tried with few cases and walks take a part of their steps, so that `npm test` is
 * short. `npm run test:long` sets it, and runs the test files that import this module.
 */
export const isLong: boolean = process.env.LATCHKEY_LONG_TESTS === "1";

const fewCases = 10;
const usualCases = 100;

// The few cases are the same in each run, of a seed with which each property meets what it is about. The many differ: a failure prints the seed
// that repeats it.
const seed = 20;

fc.configureGlobal(isLong ? { numRuns: usualCases } : { numRuns: fewCases, seed });

/** How many cases a property is tried with: `count` in full. */
export function cases(count: number): { readonly numRuns: number } {
  return { numRuns: isLong ? count : Math.min(count, fewCases) };
}

/** Every step of a walk in full; by default each `every`th, where `start` tells walks apart that share their steps. */
export function steps<Step>(all: readonly Step[], every: number, start = 0): readonly Step[] {
  return isLong ? all : all.filter((_, index) => (index + start) % every === 0);
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
