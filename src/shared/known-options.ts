import { isObject } from "./is-object.js";
import { findNearestName } from "./text/nearest-name.js";

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
