import { isJsonObject, type JsonObject, type JsonValue } from "./json-value.js";

/** Equality as the `test` of JSON Patch means it: by content, with members in any order (RFC 6902 section 4.6). */
export function isEqualJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && isEqualArray(left, right);
  return isJsonObject(left) && isJsonObject(right) && isEqualObject(left, right);
}

function isEqualArray(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return left.length === right.length && left.every((item, index) => isEqualJson(item, right[index] ?? null));
}

function isEqualObject(left: JsonObject, right: JsonObject): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isEqualJson(left[key] ?? null, right[key] ?? null));
}
