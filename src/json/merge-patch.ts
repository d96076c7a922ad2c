// Not json-merge-patch 1.0.2: of {"constructor":"x","name":"new"} it drops `name` and reports success, as it returns at such a key.
import { copyJson, copyJsonArray } from "./copy-json.js";
import { getMember, isJsonObject, type JsonObject, type JsonValue, setMember } from "./json-value.js";
import { assertDepth, createWalk, enterMember, type JsonWalk } from "./json-walk.js";

/** A merge under way: where it stands, and what becomes of an array. */
export interface Merge {
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
export function mergeJson(target: JsonValue | undefined, patch: unknown, merge: Merge): JsonValue {
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
