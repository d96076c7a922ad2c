import { inChunks, nextTurn } from "./in-steps.js";

/** How deep a JSON value may nest (decisions.md, Bad JSON). */
export const maxJsonDepth = 64;

/** What no storage keeps alike or no program handles safely. */
export type UnsafeValue = {
  readonly kind: "tooDeep" | "forbiddenKey" | "forbiddenText" | "notFinite";
  readonly path: readonly PropertyKey[];
};

/**
 * Finds the first value that must not enter: nesting over {@link maxJsonDepth}, a key `__proto__` (prototype pollution),
 * U+0000 or a lone surrogate in a text or key (refused by Postgres), a number that JSON cannot write.
 */
export function findUnsafeValue(value: unknown): UnsafeValue | undefined {
  return inspect(value, 0);
}

/** The same, in steps between which others have their turn, for values with long lists close to their roots. */
export async function findUnsafeInSteps(value: unknown, depth = 0): Promise<UnsafeValue | undefined> {
  if (typeof value !== "object" || value === null || depth >= steppedDepth) return inspect(value, depth);
  if (Array.isArray(value)) return findInLongList(value, depth);
  for (const [key, member] of Object.entries(value)) {
    const found = inspectKey(key) ?? at(key, await findUnsafeInSteps(member, depth + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How deep lists lie that are looked through in steps. */
const steppedDepth = 3;

async function findInLongList(list: readonly unknown[], depth: number): Promise<UnsafeValue | undefined> {
  let found: UnsafeValue | undefined;
  let start = 0;
  await inChunks(list, (chunk) => {
    const inside = found === undefined ? inspectArray(chunk, depth) : undefined;
    if (inside !== undefined) found = { kind: inside.kind, path: [start + Number(inside.path[0]), ...inside.path.slice(1)] };
    start += chunk.length;
  });
  await nextTurn();
  return found;
}

function inspect(value: unknown, depth: number): UnsafeValue | undefined {
  if (typeof value === "string") return isSafeText(value) ? undefined : { kind: "forbiddenText", path: [] };
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { kind: "notFinite", path: [] };
  if (typeof value !== "object" || value === null) return undefined;
  if (depth >= maxJsonDepth) return { kind: "tooDeep", path: [] };
  return Array.isArray(value) ? inspectArray(value, depth) : inspectObject(value as Record<string, unknown>, depth);
}

function inspectArray(array: readonly unknown[], depth: number): UnsafeValue | undefined {
  for (let index = 0; index < array.length; index++) {
    const found = inspect(array[index], depth + 1);
    if (found !== undefined) return at(index, found);
  }
  return undefined;
}

function inspectObject(object: Record<string, unknown>, depth: number): UnsafeValue | undefined {
  for (const key of Object.keys(object)) {
    const found = inspectKey(key) ?? at(key, inspect(object[key], depth + 1));
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

/** Whether every storage keeps this text as it is: no U+0000 and no lone surrogate. */
export function isSafeText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
