import { inChunks, type Steps } from "./in-steps.js";
import { isObjectOrList } from "./objects.js";

/** The maximum depth of a JSON value (docs/reference/wire.md#bodies). */
export const maxJsonDepth = 64;

/** A value that storages keep differently, that is unsafe to process, or that has too many items. */
export type UnsafeValue = {
  readonly kind: "tooDeep" | "forbiddenKey" | "forbiddenText" | "notFinite" | "tooMany";
  readonly path: readonly PropertyKey[];
};

/**
 * Finds the first unsafe value: nesting over {@link maxJsonDepth}, a key `__proto__` (prototype pollution), U+0000 or a lone
 * surrogate in a text or key (refused by Postgres), a number that JSON cannot represent; with `sizes`, a list or map with too
 * many items, before anything in it.
 */
export function findUnsafeValue(value: unknown, sizes?: SizeLimits): UnsafeValue | undefined {
  return inspect(value, 0, sizes);
}

/** The same in steps, between which other requests run, for long lists close to the root. */
export async function findUnsafeInSteps(
  steps: Steps,
  value: unknown,
  sizes?: SizeLimits,
  depth = 0,
): Promise<UnsafeValue | undefined> {
  if (!isObjectOrList(value) || depth >= steppedDepth) return inspect(value, depth, sizes);
  if (Array.isArray(value)) return findInLongList(steps, value, depth, sizes);
  const entries = Object.entries(value);
  if (sizes?.admitsMap(entries.length) === false) return tooMany;
  for (const [key, member] of entries) {
    const found = inspectKey(key) ?? at(key, await findUnsafeInSteps(steps, member, sizes?.at(key), depth + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The maximum depth of lists that are inspected in steps. */
const steppedDepth = 3;

const tooMany: UnsafeValue = { kind: "tooMany", path: [] };

async function findInLongList(
  steps: Steps,
  list: readonly unknown[],
  depth: number,
  sizes: SizeLimits | undefined,
): Promise<UnsafeValue | undefined> {
  if (sizes?.admitsList(list.length) === false) return tooMany;
  const itemSizes = sizes?.at();
  let found: UnsafeValue | undefined;
  let start = 0;
  await inChunks(steps, list, (chunk) => {
    found ??= inspectItems(chunk, depth, itemSizes, start);
    start += chunk.length;
  });
  await steps.timers.nextTurn();
  return found;
}

function inspect(value: unknown, depth: number, sizes: SizeLimits | undefined): UnsafeValue | undefined {
  if (typeof value === "string") return isSafeText(value) ? undefined : { kind: "forbiddenText", path: [] };
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { kind: "notFinite", path: [] };
  if (!isObjectOrList(value)) return undefined;
  if (depth >= maxJsonDepth) return { kind: "tooDeep", path: [] };
  if (!Array.isArray(value)) return inspectObject(value as Record<string, unknown>, depth, sizes);
  return sizes?.admitsList(value.length) === false ? tooMany : inspectItems(value, depth, sizes?.at(), 0);
}

function inspectItems(
  items: readonly unknown[],
  depth: number,
  sizes: SizeLimits | undefined,
  start: number,
): UnsafeValue | undefined {
  for (let index = 0; index < items.length; index++) {
    const found = inspect(items[index], depth + 1, sizes);
    if (found !== undefined) return at(start + index, found);
  }
  return undefined;
}

function inspectObject(object: Record<string, unknown>, depth: number, sizes: SizeLimits | undefined): UnsafeValue | undefined {
  const keys = Object.keys(object);
  if (sizes?.admitsMap(keys.length) === false) return tooMany;
  for (const key of keys) {
    const found = inspectKey(key) ?? at(key, inspect(object[key], depth + 1, sizes?.at(key)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function inspectKey(key: string): UnsafeValue | undefined {
  if (key === "__proto__") return { kind: "forbiddenKey", path: [key] };
  return isSafeText(key) ? undefined : { kind: "forbiddenText", path: [] };
}

function at(key: PropertyKey, found: UnsafeValue | undefined): UnsafeValue | undefined {
  return found && { kind: found.kind, path: [key, ...found.path] };
}

/** Whether every storage preserves this text: no U+0000 and no lone surrogate. */
export function isSafeText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** The maximum number of items in a list or map of a body (docs/reference/wire.md#sizes). */
export const maxItems = 10_000;

/** The maximum number of values in a body, except in bulk lists. */
export const maxValues = 20_000;

/** The path of a list that only the size of the body limits: its keys from the root, `*` for any key. */
export type BulkPath = readonly string[];

/** Counts the values of a body against the limits, from the root down. */
export class SizeLimits {
  readonly #bulk: readonly BulkPath[];
  readonly #budget: { valuesLeft: number };

  constructor(bulk: readonly BulkPath[] = [], budget: { valuesLeft: number } = { valuesLeft: maxValues }) {
    this.#bulk = bulk;
    this.#budget = budget;
  }

  /** Counts the items of the list here, and returns whether the limits allow them. */
  admitsList(count: number): boolean {
    return this.#isBulk() || this.admitsMap(count);
  }

  /** Counts the members of the object here, and returns whether the limits allow them. */
  admitsMap(count: number): boolean {
    this.#budget.valuesLeft -= count;
    return count <= maxItems && this.#budget.valuesLeft >= 0;
  }

  /** The limits for the member `key`; for every item of a list without a key. */
  at(key?: string): SizeLimits {
    // Without bulk lists, as in nearly every body, one object counts everything.
    if (this.#bulk.length === 0) return this;
    const ofKey = this.#bulk.filter(([first]) => first !== undefined && (first === "*" || first === key));
    const below = ofKey.map(([, ...rest]) => rest);
    return new SizeLimits(below, this.#isBulk() ? { valuesLeft: Number.POSITIVE_INFINITY } : this.#budget);
  }

  #isBulk(): boolean {
    return this.#bulk.some((path) => path.length === 0);
  }
}
