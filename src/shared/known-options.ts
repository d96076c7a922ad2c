import { isObject } from "./objects.js";

/**
 * The names of all options of a group with their types, or with the methods of an object. `true`: the reader of the option
 * checks its value.
 */
export type OptionNames<Options extends object> = {
  readonly [Name in keyof Required<Options>]:
    | true
    | "boolean"
    | "function"
    | "list"
    | "number"
    | "number or object"
    | "object"
    | "object or function"
    | "text"
    | "text or function"
    | "text or list"
    | "text or object"
    | readonly string[];
};

type OptionType = OptionNames<{ readonly any: unknown }>["any"];

/**
 * Refuses unknown options, options of a wrong type, and inherited ones, which copies of the options would lose. `place` is the
 * path of the group, such as `delivery`, or empty. Undefined options count as absent.
 * @throws TypeError naming the first such option, and the most similar known one; and for a required option that is absent.
 */
export function assertKnownOptions<Options extends object>(
  place: string,
  given: Options | undefined,
  names: OptionNames<Options>,
  required: readonly (keyof Options & string)[] = [],
): void {
  if (given === undefined && required.length === 0) return;
  if (!isObject(given)) throw new TypeError(`${place === "" ? "The options" : place} must be an object.`);
  const prefix = place === "" ? "" : `${place}.`;
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(names, name) || value === undefined) continue;
    const nearest = findNearestName(name, Object.keys(names));
    const advice =
      nearest === undefined ? `Known are ${Object.keys(names).sort().join(", ")}.` : `Did you mean ${prefix}${nearest}?`;
    throw new TypeError(`There is no option ${prefix}${name}. ${advice}`);
  }
  for (const [name, type] of Object.entries<OptionType>(names)) assertOption(`${prefix}${name}`, given, name, type);
  for (const name of required) if (given[name] === undefined) throw new TypeError(`${prefix}${name} is required.`);
}

function assertOption(path: string, given: Readonly<Record<string, unknown>>, name: string, type: OptionType): void {
  const value = given[name];
  if (value === undefined) return;
  if (!Object.prototype.propertyIsEnumerable.call(given, name))
    throw new TypeError(`${path} is inherited or hidden. Pass an object that has the option itself, such as { ${name}: … }.`);
  if (value === null) throw new TypeError(`${path} must not be null. Leave it out, or pass undefined.`);
  const rule = type === true ? undefined : findBrokenRule(value, type);
  if (rule !== undefined) throw new TypeError(`${path} must be ${rule}.`);
}

function findBrokenRule(value: unknown, type: Exclude<OptionType, true>): string | undefined {
  if (typeof type !== "string") {
    const missing = type.find((name) => typeof (Object(value) as Record<string, unknown>)[name] !== "function");
    return missing && `an object with the method ${missing}`;
  }
  const types = type.split(" or ") as ValueType[];
  return types.some((one) => isOfType(value, one)) ? undefined : types.map((one) => rules[one]).join(" or ");
}

type ValueType = keyof typeof rules;

const rules = {
  boolean: "true or false",
  function: "a function",
  list: "a list",
  number: "a number",
  object: "an object",
  text: "a text",
};

function isOfType(value: unknown, type: ValueType): boolean {
  if (type === "list") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === (type === "text" ? "string" : type);
}

/** Returns the most similar known name; undefined if none is similar. */
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

/** Longer names get no suggestion. */
const maxLength = 64;

// The edit distance, with a swap of two neighbors as one edit; `limit` if it is not less.
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
