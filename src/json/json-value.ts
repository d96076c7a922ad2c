import { maxJsonDepth } from "../shared/find-unsafe-value.js";
import { isObject } from "../shared/objects.js";
import { formatPath } from "../shared/text.js";

type JsonScalar = string | number | boolean | null;

/** What JSON.parse can return. */
export type JsonValue = JsonScalar | JsonValue[] | JsonObject;

/** A JSON object; its members are own properties, regardless of their names. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is an object as JSON knows it: neither an array nor an instance of a class, which JSON would not keep. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // A root prototype of any realm will do: hosts and test runners may build their objects in another one.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** An own member, so that `toString` is as absent as any other name until somebody stores it. */
export function getMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own member of any name. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  // Assigning to an inherited name would run the setter of `__proto__`, and throws where Object.prototype is frozen.
  if (key in object && !Object.hasOwn(object, key)) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** Why a patch was refused. */
type PatchErrorReason = "invalid" | "testFailed" | "forbiddenKey" | "tooManyOperations" | "tooLarge";

/**
 * The only thing the functions of this folder throw on purpose: a patch that is malformed or does not fit its document.
 * `path` is written as field errors write it (`group.data.x`). Neither it nor the message holds content of the document.
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

/** How much a patch may still bring into its document. */
export interface ByteBudget {
  bytesLeft: number;
}

/** Where a walk through a value stands: keys and indexes from the root of the document down to here. */
export interface JsonWalk {
  readonly trail: (string | number)[];
  readonly budget: ByteBudget | undefined;
}

/** Begins a walk at `trail`; without a budget it may bring in any amount. */
export function createWalk(trail: readonly string[] = [], budget?: ByteBudget): JsonWalk {
  return { trail: [...trail], budget };
}

/** A refusal of what the walk stands on. */
function createPatchError(walk: JsonWalk, reason: PatchErrorReason, message: string): PatchError {
  return new PatchError(reason, message, formatPath(walk.trail) || undefined);
}

/** @throws PatchError when the object or array here would nest deeper than any body may. */
export function assertDepth(walk: JsonWalk): void {
  if (walk.trail.length >= maxJsonDepth)
    throw createPatchError(walk, "invalid", `The value is nested over ${maxJsonDepth} levels.`);
}

/**
 * Steps down to a member of an object.
 *
 * @throws PatchError for the key `__proto__`.
 */
export function enterMember(walk: JsonWalk, key: string): void {
  walk.trail.push(key);
  if (key === "__proto__") throw createPatchError(walk, "forbiddenKey", "The key is not allowed.");
}

/** @throws PatchError once more is brought in than the budget holds. */
function countBytes(walk: JsonWalk, value: JsonScalar, more = 0): void {
  // Text is measured only where it is paid for.
  if (walk.budget === undefined) return;
  walk.budget.bytesLeft -= byteLength(value) + more;
  if (walk.budget.bytesLeft < 0) throw createPatchError(walk, "tooLarge", "The patch adds more than is allowed.");
}

/**
 * A deep copy, so that the result of a patch shares nothing with the patch. Members that are undefined are left out, as
 * JSON.stringify does.
 *
 * @throws PatchError for what JSON cannot hold, a key `__proto__`, too deep a nesting, or a budget that is spent.
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

/** {@link copyJson} for what is known to be an array. */
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

// Escapes are not counted: the budget is there to end a copy bomb, the caller measures the text it stores.
function byteLength(value: JsonScalar): number {
  return typeof value === "string" ? Buffer.byteLength(value) + 2 : String(value).length;
}

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
