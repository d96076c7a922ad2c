/// <reference path="./json-merge-patch.d.ts" />
import library from "json-merge-patch";
import { isObject } from "../shared/objects.js";
import { formatPath } from "../shared/text.js";
import {
  assertDepth,
  copyJson,
  createWalk,
  enterMember,
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type JsonWalk,
  PatchError,
  setMember,
} from "./json-value.js";

/**
 * Applies a merge patch to a document (RFC 7396). The result shares with the document what the patch leaves alone, and
 * nothing with the patch; neither of them is changed.
 *
 * @throws PatchError for a patch that is not JSON, nests too deep or has a key `__proto__`.
 * @example applyMergePatch({ name: "a", tags: ["x"] }, { name: null, tags: ["y"] }) // { tags: ["y"] }
 */
export function applyMergePatch(document: JsonValue, patch: unknown): JsonValue {
  const guard = createGuard();
  if (!isJsonObject(patch)) return copyJson(patch, guard);
  const safePatch = checkPatch(patch, guard);
  const target = copyAlong(document, safePatch, guard);
  if (!guard.hasReservedName) return library.apply(target, safePatch) as JsonObject;
  return mergeObject(document, safePatch, { trail: [], mergeArray: (_target, array) => array });
}

/** What a look through patch and document finds: whether a member has a name that json-merge-patch 1.0.2 loses or fails on. */
interface Guard extends JsonWalk {
  hasReservedName: boolean;
}

const createGuard = (): Guard => ({ ...createWalk(), hasReservedName: false });

/** The patch as it may be merged: with arrays of its own, which would be shared with the result, and without undefined members. */
function checkPatch(patch: JsonObject, guard: Guard): JsonObject {
  assertDepth(guard);
  let copy: JsonObject | undefined;
  for (const key of Object.keys(patch)) {
    const member: JsonValue | undefined = patch[key];
    enterMember(guard, key);
    // Of what follows `constructor` or `prototype` the library keeps nothing. No inherited name can it write if Object.prototype is frozen.
    if (key === "prototype" || key in Object.prototype) guard.hasReservedName = true;
    const checked = checkMember(member, guard);
    guard.trail.pop();
    if (checked === member && checked !== undefined) continue;
    copy ??= { ...patch };
    if (checked === undefined) delete copy[key];
    else copy[key] = checked;
  }
  return copy ?? patch;
}

function checkMember(member: JsonValue | undefined, guard: Guard): JsonValue | undefined {
  if (member === undefined) return undefined;
  return isJsonObject(member) ? checkPatch(member, guard) : copyJson(member, guard);
}

/** The document for the library to change: a copy as far as the patch reaches, with all else shared. */
function copyAlong(document: JsonValue | undefined, patch: JsonObject, guard: Guard): JsonObject {
  if (!isJsonObject(document)) return {};
  // The library calls it.
  if (Object.hasOwn(document, "hasOwnProperty")) guard.hasReservedName = true;
  const copy: JsonObject = { ...document };
  for (const key of Object.keys(patch)) {
    const member = patch[key];
    if (!isObject(member)) continue;
    const stored = getMember(document, key);
    if (isObject(stored)) copy[key] = copyAlong(stored, member, guard);
  }
  return copy;
}

/** A merge of our own under way: where it stands, and what becomes of an array. */
interface Merge {
  readonly trail: string[];
  readonly mergeArray: (target: JsonValue | undefined, array: JsonValue[], trail: readonly string[]) => JsonValue[];
}

/** The algorithm of RFC 7396 section 2 for members of any name, with the treatment of arrays left open. */
function mergeObject(target: JsonValue | undefined, patch: JsonObject, merge: Merge): JsonObject {
  const result: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const member = patch[key] ?? null;
    merge.trail.push(key);
    if (member === null) delete result[key];
    else setMember(result, key, mergeMember(getMember(result, key), member, merge));
    merge.trail.pop();
  }
  return result;
}

function mergeMember(stored: JsonValue | undefined, member: JsonValue, merge: Merge): JsonValue {
  if (Array.isArray(member)) return merge.mergeArray(stored, member, merge.trail);
  return isJsonObject(member) ? mergeObject(stored, member, merge) : member;
}

/** What becomes of arrays at dotted paths such as `webhook.tenantIds`, where it is something else than being appended to. */
interface ArrayPaths {
  /** Keep one of each scalar. */
  readonly sets?: ReadonlySet<string> | undefined;
  /** Take the place of the stored ones. */
  readonly replaced?: ReadonlySet<string> | undefined;
}

/**
 * Applies a patch of type `application/json`: a merge patch whose arrays are appended to the stored ones, duplicates kept,
 * so that `[]` and `{}` change nothing. The result shares with the document what the patch leaves alone; neither argument is
 * changed.
 *
 * @throws PatchError for a patch that is no JSON object, nests too deep or has a key `__proto__`.
 * @example applyAppendMerge({ tags: ["x"] }, { tags: ["x", "y"] }) // { tags: ["x", "x", "y"] }
 */
export function applyAppendMerge(document: JsonObject, patch: unknown, { sets, replaced }: ArrayPaths = {}): JsonObject {
  if (!isJsonObject(patch)) throw new PatchError("invalid", "The patch is not a JSON object.");
  return mergeObject(document, checkPatch(patch, createGuard()), {
    trail: [],
    mergeArray(target, items, trail) {
      const path = formatPath(trail);
      const known = Array.isArray(target) && !replaced?.has(path) ? target : [];
      return sets?.has(path) ? appendMissing(known, items) : [...known, ...items];
    },
  });
}

function appendMissing(known: readonly JsonValue[], items: readonly JsonValue[]): JsonValue[] {
  const seen = new Set(known);
  return [...known, ...items.filter((item) => !seen.has(item) && seen.add(item))];
}
