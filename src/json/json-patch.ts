// `test`, `copy` and `move` are done here, not by fast-json-patch 3.1.1: its `test` throws a TypeError when the object has a member
// `hasOwnProperty`, and it clones the whole document to check each `copy` and `move` (500 of them on 1 MB: seconds).
import jsonpatch, { type Operation } from "fast-json-patch";
import { maxJsonDepth } from "../shared/find-unsafe-value.js";
import { isObjectOrList } from "../shared/is-object.js";
import { formatPath } from "../shared/text/format-path.js";
import { copyJson } from "./copy-json.js";
import { isEqualJson } from "./is-equal-json.js";
import { assertCanAdd, type JsonPointer, resolvePointer } from "./json-pointer.js";
import type { JsonValue } from "./json-value.js";
import { type ByteBudget, createWalk } from "./json-walk.js";
import { type PatchOperation, parseOperations } from "./parse-operations.js";
import { PatchError } from "./patch-error.js";

/** What a JSON Patch may cost. */
export interface JsonPatchLimits {
  /** 500 unless given. */
  readonly maxOperations?: number;
  /** How many bytes of JSON `add`, `replace` and `copy` may bring in together, escapes aside; 1 MiB unless given. */
  readonly maxBytes?: number;
}

/**
 * Applies a JSON Patch (RFC 6902). No clone is paid: the document is changed in place and must be a private copy, fresh
 * from JSON.parse; after a throw it is half-patched and of no use. The patch is neither changed nor shared with the result.
 * The caller still measures the result: the limit is on what the patch brings in, not on what was there.
 *
 * @throws PatchError `testFailed` for a `test`; `forbiddenKey` for `__proto__`, `constructor` and `prototype` in a pointer,
 * and for `__proto__` in a value; `tooManyOperations`, `tooLarge`; `invalid` for anything else.
 * @example applyJsonPatch({ roleIds: [] }, [{ op: "add", path: "/roleIds/-", value: "a" }]) // { roleIds: ["a"] }
 */
export function applyJsonPatch(document: JsonValue, patch: unknown, limits: JsonPatchLimits = {}): JsonValue {
  const { maxOperations = 500, maxBytes = 1_048_576 } = limits;
  const budget = { bytesLeft: maxBytes };
  const operations = parseOperations(patch, maxOperations, budget);
  const patched = operations.reduce<JsonValue>((current, operation) => applyOperation(current, operation, budget), document);
  // A move alone can bring what was there too deep; one look at the end is cheaper than measuring each moved value.
  if (operations.some(isDeepening) && !isWithinDepth(patched, maxJsonDepth)) {
    throw new PatchError("invalid", `The patched document is nested over ${maxJsonDepth} levels.`);
  }
  return patched;
}

function applyOperation(document: JsonValue, operation: PatchOperation, budget: ByteBudget): JsonValue {
  const { op, path } = operation;
  switch (op) {
    case "test":
      assertEqual(resolvePointer(document, path.tokens), operation);
      return document;
    case "add":
      return add(document, path, operation.value);
    case "replace":
      resolvePointer(document, path.tokens);
      return callLibrary(document, { op, path: path.text, value: operation.value });
    case "remove":
      return remove(document, path);
    case "copy":
      return add(document, path, copyJson(resolvePointer(document, operation.from.tokens), createWalk(path.tokens, budget)));
    case "move":
      return move(document, operation.from, path);
  }
}

function assertEqual(found: JsonValue, { path, value }: { path: JsonPointer; value: JsonValue }): void {
  if (isEqualJson(found, value)) return;
  throw new PatchError("testFailed", "A test operation of the patch failed.", formatPath(path.tokens) || undefined);
}

function add(document: JsonValue, path: JsonPointer, value: JsonValue): JsonValue {
  assertCanAdd(document, path.tokens);
  return callLibrary(document, { op: "add", path: path.text, value });
}

function remove(document: JsonValue, path: JsonPointer): JsonValue {
  resolvePointer(document, path.tokens);
  return callLibrary(document, { op: "remove", path: path.text });
}

function move(document: JsonValue, from: JsonPointer, path: JsonPointer): JsonValue {
  // Without this, the element after a removed `/a/0` would take it in as `/a/0/b` (RFC 6902 section 4.4 forbids it).
  if (path.tokens.length > from.tokens.length && from.tokens.every((token, index) => token === path.tokens[index])) {
    throw new PatchError("invalid", "An operation moves a value into itself.", formatPath(path.tokens));
  }
  const value = resolvePointer(document, from.tokens);
  return add(remove(document, from), path, value);
}

function callLibrary(document: JsonValue, operation: Operation): JsonValue {
  try {
    // Unvalidated: its checks are weaker than those made above, and walk through the whole value once more.
    return jsonpatch.applyOperation(document, operation, false, true, true).newDocument;
  } catch {
    // No cause: messages of the library quote the whole document.
    throw new PatchError("invalid", "An operation cannot be applied.");
  }
}

function isDeepening(operation: PatchOperation): boolean {
  return operation.op === "move" && operation.path.tokens.length > operation.from.tokens.length;
}

function isWithinDepth(value: JsonValue, levels: number): boolean {
  if (!isObjectOrList(value)) return true;
  return levels > 0 && Object.values(value).every((member) => isWithinDepth(member, levels - 1));
}
