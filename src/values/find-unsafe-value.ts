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
    if (found !== undefined) return { kind: found.kind, path: [index, ...found.path] };
  }
  return undefined;
}

function inspectObject(object: Record<string, unknown>, depth: number): UnsafeValue | undefined {
  for (const key of Object.keys(object)) {
    if (key === "__proto__") return { kind: "forbiddenKey", path: [key] };
    if (!isSafeText(key)) return { kind: "forbiddenText", path: [] };
    const found = inspect(object[key], depth + 1);
    if (found !== undefined) return { kind: found.kind, path: [key, ...found.path] };
  }
  return undefined;
}

/** Whether every storage keeps this text as it is: no U+0000 and no lone surrogate. */
export function isSafeText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
