import { maxJsonDepth } from "../shared/find-unsafe-value.js";
import { isObject } from "../shared/objects.js";
import { formatPath } from "../shared/text.js";

type JsonScalar = string | number | boolean | null;

/** A result of JSON.parse. */
export type JsonValue = JsonScalar | JsonValue[] | JsonObject;

/** A JSON object; its members are own properties of any name. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is an object in JSON: neither an array nor an instance of a class, which JSON would not preserve. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Accepts the root prototype of any realm: hosts and test runners may create objects in another one.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns an own member, so that inherited names such as `toString` are absent. */
export function getMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own member of any name. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  // Assignment to an inherited name would run the setter of `__proto__`, and throws if Object.prototype is frozen.
  if (key in object && !Object.hasOwn(object, key)) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** The reason of a refused patch. */
type PatchErrorReason = "invalid" | "testFailed" | "forbiddenKey" | "tooManyOperations" | "tooLarge";

/**
 * The only error that this folder throws on purpose: the patch is malformed or does not fit its document. `path` has the format
 * of field errors (`group.data.x`). Neither it nor the message contains contents of the document.
 */
export class PatchError extends Error {
  readonly reason: PatchErrorReason;
  readonly path: string | undefined;

  constructor(reason: PatchErrorReason, message: string, path?: string) {
    super(message);
    this.name = "PatchError";
    this.reason = reason;
    this.path = path;
  }
}

/** The number of bytes that a patch may still add to its document. */
export interface ByteBudget {
  bytesLeft: number;
}

/** The position of a walk through a value: keys and indexes from the root of the document. */
export interface JsonWalk {
  readonly trail: (string | number)[];
  readonly budget: ByteBudget | undefined;
}

/** Starts a walk at `trail`; without a budget it may add any amount. */
export function createWalk(trail: readonly string[] = [], budget?: ByteBudget): JsonWalk {
  return { trail: [...trail], budget };
}

/** Creates an error for the position of the walk. */
function createPatchError(walk: JsonWalk, reason: PatchErrorReason, message: string): PatchError {
  return new PatchError(reason, message, formatPath(walk.trail) || undefined);
}

/** @throws PatchError when an object or array here would exceed the maximum depth of a body. */
export function assertDepth(walk: JsonWalk): void {
  if (walk.trail.length >= maxJsonDepth)
    throw createPatchError(walk, "invalid", `The value is nested over ${maxJsonDepth} levels.`);
}

/**
 * Moves the walk to a member of an object.
 *
 * @throws PatchError for the key `__proto__`.
 */
export function enterMember(walk: JsonWalk, key: string): void {
  walk.trail.push(key);
  if (key === "__proto__") throw createPatchError(walk, "forbiddenKey", "The key is not allowed.");
}

/** @throws PatchError when the additions exceed the budget. */
function countBytes(walk: JsonWalk, value: JsonScalar, more = 0): void {
  // Measures texts only with a budget.
  if (walk.budget === undefined) return;
  walk.budget.bytesLeft -= byteLength(value) + more;
  if (walk.budget.bytesLeft < 0) throw createPatchError(walk, "tooLarge", "The patch adds more than is allowed.");
}

/**
 * Returns a deep copy, so that the result of a patch shares nothing with the patch. Omits undefined members, like
 * JSON.stringify.
 *
 * @throws PatchError for values that JSON cannot represent, a key `__proto__`, too deep a nesting, or an exhausted budget.
 */
export function copyJson(value: unknown, walk: JsonWalk): JsonValue {
  if (isJsonScalar(value)) {
    countBytes(walk, value);
    return value;
  }
  if (Array.isArray(value)) return copyJsonArray(value, walk);
  if (isJsonObject(value)) return copyObject(value, walk);
  throw createPatchError(walk, "invalid", "The value is not JSON.");
}

/** {@link copyJson} for arrays. */
export function copyJsonArray(array: readonly unknown[], walk: JsonWalk): JsonValue[] {
  assertDepth(walk);
  countBytes(walk, "", array.length);
  return Array.from(array, (item, index) => {
    walk.trail.push(index);
    const copy = copyJson(item, walk);
    walk.trail.pop();
    return copy;
  });
}

function copyObject(object: Readonly<Record<string, unknown>>, walk: JsonWalk): JsonObject {
  assertDepth(walk);
  countBytes(walk, "");
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) {
    const member = object[key];
    if (member === undefined) continue;
    enterMember(walk, key);
    countBytes(walk, key, 2);
    setMember(copy, key, copyJson(member, walk));
    walk.trail.pop();
  }
  return copy;
}

function isJsonScalar(value: unknown): value is JsonScalar {
  return typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value);
}

// Without escapes: the budget stops a copy bomb, and the caller measures the stored text.
function byteLength(value: JsonScalar): number {
  return typeof value === "string" ? Buffer.byteLength(value) + 2 : String(value).length;
}

/** Equality of JSON Patch `test`: by content, with members in any order (RFC 6902 section 4.6). */
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
