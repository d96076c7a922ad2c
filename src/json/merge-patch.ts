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
 * Applies a merge patch to a document (RFC 7396). The result shares the unpatched parts with the document, and nothing with the
 * patch; neither argument is changed.
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

/** Records whether patch or document has a member with a name that json-merge-patch 1.0.2 loses or fails on. */
interface Guard extends JsonWalk {
  hasReservedName: boolean;
}

const createGuard = (): Guard => ({ ...createWalk(), hasReservedName: false });

/**
 * Returns the patch for the library: with copied arrays, which the result would share otherwise, and without undefined members.
 */
function checkPatch(patch: JsonObject, guard: Guard): JsonObject {
  assertDepth(guard);
  let copy: JsonObject | undefined;
  for (const key of Object.keys(patch)) {
    const member: JsonValue | undefined = patch[key];
    enterMember(guard, key);
    // The library drops the members below `constructor` and `prototype`, and cannot write inherited names if Object.prototype
    // is frozen.
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

/** Copies the document as far as the patch reaches, for the library to change, and shares the rest. */
function copyAlong(document: JsonValue | undefined, patch: JsonObject, guard: Guard): JsonObject {
  if (!isJsonObject(document)) return {};
  // The library calls this method of the document.
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

/** The state of our own merge: its position, and the treatment of arrays. */
interface Merge {
  readonly trail: string[];
  readonly mergeArray: (target: JsonValue | undefined, array: JsonValue[], trail: readonly string[]) => JsonValue[];
}

/** The algorithm of RFC 7396 section 2 for members of any name, with any treatment of arrays. */
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

/** Arrays with another treatment than appending, by dotted path such as `webhook.tenantIds`. */
interface ArrayPaths {
  /** Appended without duplicate scalars. */
  readonly sets?: ReadonlySet<string> | undefined;
  /** Replace the stored ones. */
  readonly replaced?: ReadonlySet<string> | undefined;
}

/**
 * Applies a patch of type `application/json`: a merge patch that appends arrays to the stored ones, duplicates included, so
 * that `[]` and `{}` change nothing. The result shares the unpatched parts with the document; neither argument is changed.
 *
 * @throws PatchError for a patch that is not a JSON object, nests too deep or has a key `__proto__`.
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
