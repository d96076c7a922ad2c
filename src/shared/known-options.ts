import { isObject } from "./objects.js";

/** The names of all options of a group. */
export type OptionNames<Options extends object> = { readonly [Name in keyof Required<Options>]: true };

/**
 * Refuses options that do not exist. `place` is where the group stands, such as `delivery`; empty for options of no group. Options whose
 * value is undefined count as absent.
 * @throws TypeError naming the first such option, and the one that is written most like it.
 */
export function assertKnownOptions<Options extends object>(
  place: string,
  given: Options | undefined,
  names: OptionNames<Options>,
): void {
  if (given === undefined) return;
  if (!isObject(given)) throw new TypeError(`${place === "" ? "The options" : place} must be an object.`);
  const prefix = place === "" ? "" : `${place}.`;
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(names, name) || value === undefined) continue;
    const nearest = findNearestName(name, Object.keys(names));
    const advice =
      nearest === undefined ? `Known are ${Object.keys(names).sort().join(", ")}.` : `Did you mean ${prefix}${nearest}?`;
    throw new TypeError(`There is no option ${prefix}${name}. ${advice}`);
  }
}

/** The known name that is written most like another one; undefined where none is near. */
export function findNearestName(name: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    const distance = distanceBetween(name.toLowerCase(), candidate.toLowerCase(), least);
    if (distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

/** Longer names are mistaken for none. */
const maxLength = 64;

// The edit distance, where two neighbors that changed places are one edit; `limit` where it is no less.
function distanceBetween(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit || one.length > maxLength) return limit;
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? limit;
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    rows.push(next);
    for (let column = 1; column <= other.length; column++) {
      const [a, b] = [one[row - 1], other[column - 1]];
      const isSwapped = a === other[column - 2] && b === one[row - 2];
      const change = at(row - 1, column - 1) + (a === b ? 0 : 1);
      const swap = isSwapped ? at(row - 2, column - 2) + 1 : limit;
      next.push(Math.min(change, swap, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
  }
  return Math.min(limit, at(one.length, other.length));
}
