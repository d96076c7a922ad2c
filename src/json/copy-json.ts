import { isJsonObject, type JsonObject, type JsonValue, setMember } from "./json-value.js";
import { assertDepth, countBytes, createPatchError, enterMember, type JsonWalk } from "./json-walk.js";

/**
 * A deep copy, so that the result of a patch shares nothing with the patch. Members that are undefined are left out, as
 * JSON.stringify does.
 *
 * @throws PatchError for what JSON cannot hold, a key `__proto__`, too deep a nesting, or a budget that is spent.
 */
export function copyJson(value: unknown, walk: JsonWalk): JsonValue {
  if (isJsonScalar(value)) {
    countBytes(walk, byteLength(value));
    return value;
  }
  if (Array.isArray(value)) return copyJsonArray(value, walk);
  if (isJsonObject(value)) return copyObject(value, walk);
  throw createPatchError(walk, "invalid", "The value is not JSON.");
}

/** {@link copyJson} for what is known to be an array. */
export function copyJsonArray(array: readonly unknown[], walk: JsonWalk): JsonValue[] {
  assertDepth(walk);
  countBytes(walk, 2 + array.length);
  return Array.from(array, (item, index) => {
    walk.trail.push(index);
    const copy = copyJson(item, walk);
    walk.trail.pop();
    return copy;
  });
}

function copyObject(object: Readonly<Record<string, unknown>>, walk: JsonWalk): JsonObject {
  assertDepth(walk);
  countBytes(walk, 2);
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) {
    const member = object[key];
    if (member === undefined) continue;
    enterMember(walk, key);
    countBytes(walk, byteLength(key) + 2);
    setMember(copy, key, copyJson(member, walk));
    walk.trail.pop();
  }
  return copy;
}

function isJsonScalar(value: unknown): value is string | number | boolean | null {
  return typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value);
}

// Escapes are not counted: the budget is there to end a copy bomb, the caller measures the text it stores.
function byteLength(value: string | number | boolean | null): number {
  return typeof value === "string" ? Buffer.byteLength(value) + 2 : String(value).length;
}
