import { formatPath } from "../shared/text/format-path.js";
import { copyJsonArray } from "./copy-json.js";
import { isJsonObject, type JsonObject, type JsonValue } from "./json-value.js";
import { createWalk } from "./json-walk.js";
import { mergeJson } from "./merge-patch.js";
import { PatchError } from "./patch-error.js";

/** What becomes of arrays at dotted paths such as `webhook.tenantIds`, where it is something else than being appended to. */
export interface ArrayPaths {
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
