// `test`, `copy` and `move` are implemented here, not with fast-json-patch 3.1.1: its `test` throws a TypeError for an object
// with a member `hasOwnProperty`, and it clones the whole document for each `copy` and `move` (500 of them on 1 MB: seconds).
import jsonpatch, { type Operation } from "fast-json-patch";
import { maxJsonDepth } from "../shared/find-unsafe-value.js";
import { isObjectOrList } from "../shared/objects.js";
import { formatPath } from "../shared/text.js";
import {
  type ByteBudget,
  copyJson,
  createWalk,
  getMember,
  isEqualJson,
  isJsonObject,
  type JsonValue,
  PatchError,
} from "./json-value.js";

/** The limits of a JSON Patch. */
interface JsonPatchLimits {
  /** Default 500. */
  readonly maxOperations?: number;
  /** The maximum of JSON bytes that `add`, `replace` and `copy` add together, without escapes. Default 1 MiB. */
  readonly maxBytes?: number;
}

/**
 * Applies a JSON Patch (RFC 6902). Changes the document in place, without a clone: pass a private copy, fresh from JSON.parse,
 * and discard it after a throw. The patch is neither changed nor shared with the result. The caller still limits the size of
 * the result: the limit here is on the additions of the patch.
 *
 * @throws PatchError `testFailed` for a `test`; `forbiddenKey` for `__proto__`, `constructor` and `prototype` in a pointer, and
 * for `__proto__` in a value; `tooManyOperations`, `tooLarge`; `invalid` for anything else.
 * @example applyJsonPatch({ roleIds: [] }, [{ op: "add", path: "/roleIds/-", value: "a" }]) // { roleIds: ["a"] }
 */
export function applyJsonPatch(document: JsonValue, patch: unknown, limits: JsonPatchLimits = {}): JsonValue {
  const { maxOperations = 500, maxBytes = 1_048_576 } = limits;
  const budget = { bytesLeft: maxBytes };
  const operations = parseOperations(patch, maxOperations, budget);
  const patched = operations.reduce<JsonValue>((current, operation) => applyOperation(current, operation, budget), document);
  // Only a move can nest existing values too deep; one check at the end is cheaper than measuring each moved value.
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
  // Otherwise, after the removal of `/a/0`, the next element would receive it as `/a/0/b` (RFC 6902 section 4.4 forbids it).
  if (path.tokens.length > from.tokens.length && from.tokens.every((token, index) => token === path.tokens[index])) {
    throw new PatchError("invalid", "An operation moves a value into itself.", formatPath(path.tokens));
  }
  const value = resolvePointer(document, from.tokens);
  return add(remove(document, from), path, value);
}

function callLibrary(document: JsonValue, operation: Operation): JsonValue {
  try {
    // Without validation: it is weaker than the checks above, and walks through the whole value again.
    return jsonpatch.applyOperation(document, operation, false, true, true).newDocument;
  } catch {
    // No cause: messages of the library quote the document.
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

/** A step of a JSON Patch (RFC 6902 section 4) with a copy of the caller's value. */
type PatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: JsonPointer; readonly value: JsonValue }
  | { readonly op: "copy" | "move"; readonly path: JsonPointer; readonly from: JsonPointer }
  | { readonly op: "remove"; readonly path: JsonPointer };

/**
 * Reads a patch document and counts its values on `budget`; ignores members unknown to RFC 6902.
 *
 * @throws PatchError for a patch that is not a list of operations, has too many, or has a malformed one.
 */
function parseOperations(patch: unknown, maxOperations: number, budget: ByteBudget): PatchOperation[] {
  if (!Array.isArray(patch)) throw new PatchError("invalid", "The patch is not an array of operations.");
  if (patch.length > maxOperations) {
    throw new PatchError("tooManyOperations", `The patch has over ${maxOperations} operations.`);
  }
  return Array.from(patch, (operation: unknown) => parseOperation(operation, budget));
}

function parseOperation(operation: unknown, budget: ByteBudget): PatchOperation {
  if (!isJsonObject(operation)) throw new PatchError("invalid", "An operation is not an object.");
  const op = getMember(operation, "op");
  const path = parsePointer(getMember(operation, "path"));
  switch (op) {
    case "add":
    case "replace":
      return { op, path, value: copyJson(getMember(operation, "value"), createWalk(path.tokens, budget)) };
    case "test":
      return { op, path, value: copyJson(getMember(operation, "value"), createWalk(path.tokens)) };
    case "copy":
    case "move":
      return { op, path, from: parsePointer(getMember(operation, "from")) };
    case "remove":
      return { op, path };
    default:
      throw new PatchError("invalid", "An operation has an unknown op.");
  }
}

/** A JSON Pointer that is safe to follow, as text and as its unescaped tokens (RFC 6901). */
interface JsonPointer {
  readonly text: string;
  readonly tokens: readonly string[];
}

const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const badEscape = /~(?![01])/;
const arrayIndex = /^(?:0|[1-9]\d*)$/;

/**
 * Reads a JSON Pointer.
 *
 * @throws PatchError for a pointer that is malformed, deeper than any document, or contains a key of the prototype chain.
 */
function parsePointer(text: unknown): JsonPointer {
  if (typeof text !== "string" || !(text === "" || text.startsWith("/")) || badEscape.test(text)) {
    throw new PatchError("invalid", "An operation lacks a JSON Pointer.");
  }
  const parts = text.split("/").slice(1);
  const tokens = text.includes("~") ? parts.map(unescapeToken) : parts;
  if (tokens.length > maxJsonDepth) throw new PatchError("invalid", `A pointer has over ${maxJsonDepth} tokens.`);
  const forbidden = tokens.findIndex((token) => forbiddenKeys.has(token));
  if (forbidden >= 0) throw new PatchError("forbiddenKey", "The key is not allowed.", formatPath(tokens.slice(0, forbidden + 1)));
  return { text, tokens };
}

function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * Returns the value at `tokens`, through own members and existing elements only.
 *
 * @throws PatchError when there is none.
 */
function resolvePointer(document: JsonValue, tokens: readonly string[]): JsonValue {
  let value = document;
  for (const token of tokens) {
    const next = step(value, token);
    if (next === undefined) throw unresolvable(tokens);
    value = next;
  }
  return value;
}

function step(value: JsonValue, token: string): JsonValue | undefined {
  if (Array.isArray(value)) return arrayIndex.test(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) ? getMember(value, token) : undefined;
}

/** @throws PatchError unless a value can be added at `tokens` (RFC 6902 section 4.1). */
function assertCanAdd(document: JsonValue, tokens: readonly string[]): void {
  const token = tokens.at(-1);
  if (token === undefined) return;
  const parent = resolvePointer(document, tokens.slice(0, -1));
  if (isJsonObject(parent)) return;
  const isIndex = Array.isArray(parent) && (token === "-" || (arrayIndex.test(token) && Number(token) <= parent.length));
  if (!isIndex) throw unresolvable(tokens);
}

function unresolvable(tokens: readonly string[]): PatchError {
  return new PatchError("invalid", "An operation names a place that is not there.", formatPath(tokens) || undefined);
}
