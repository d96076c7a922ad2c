// Not json-merge-patch 1.0.2: of {"constructor":"x","name":"new"} it drops `name` and reports success, as it returns at such a key.

import { formatPath } from "../shared/text.js";
import {
  assertDepth,
  copyJson,
  copyJsonArray,
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

/** A merge under way: where it stands, and what becomes of an array. */
interface Merge {
  readonly walk: JsonWalk;
  readonly mergeArray: (target: JsonValue | undefined, patch: readonly unknown[], walk: JsonWalk) => JsonValue;
}

/**
 * Applies a merge patch to a document (RFC 7396). The result shares with the document what the patch leaves alone, and
 * nothing with the patch; neither of them is changed.
 *
 * @throws PatchError for a patch that is not JSON, nests too deep or has a key `__proto__`.
 * @example applyMergePatch({ name: "a", tags: ["x"] }, { name: null, tags: ["y"] }) // { tags: ["y"] }
 */
export function applyMergePatch(document: JsonValue, patch: unknown): JsonValue {
  return mergeJson(document, patch, {
    walk: createWalk(),
    mergeArray: (_target, array, walk) => copyJsonArray(array, walk),
  });
}

/** The algorithm of RFC 7396 section 2, with the treatment of arrays left open. */
function mergeJson(target: JsonValue | undefined, patch: unknown, merge: Merge): JsonValue {
  const { walk } = merge;
  if (Array.isArray(patch)) return merge.mergeArray(target, patch, walk);
  if (!isJsonObject(patch)) return copyJson(patch, walk);
  assertDepth(walk);
  const result: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries<unknown>(patch)) {
    if (value === undefined) continue;
    enterMember(walk, key);
    if (value === null) delete result[key];
    else setMember(result, key, mergeJson(getMember(result, key), value, merge));
    walk.trail.pop();
  }
  return result;
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
  const merged = mergeJson(document, patch, {
    walk: createWalk(),
    mergeArray(target, array, walk) {
      const items = copyJsonArray(array, walk);
      const path = formatPath(walk.trail);
      const known = Array.isArray(target) && !replaced?.has(path) ? target : [];
      return sets?.has(path) ? appendMissing(known, items) : [...known, ...items];
    },
  });
  if (!isJsonObject(merged)) throw new PatchError("invalid", "The patch is not a JSON object.");
  return merged;
}

function appendMissing(known: readonly JsonValue[], items: readonly JsonValue[]): JsonValue[] {
  const seen = new Set(known);
  return [...known, ...items.filter((item) => !seen.has(item) && seen.add(item))];
}
