import { copyJson } from "./copy-json.js";
import { type JsonPointer, parsePointer } from "./json-pointer.js";
import { getMember, isJsonObject, type JsonValue } from "./json-value.js";
import { type ByteBudget, createWalk } from "./json-walk.js";
import { PatchError } from "./patch-error.js";

/** One step of a JSON Patch (RFC 6902 section 4), its value a copy of the caller's. */
export type PatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: JsonPointer; readonly value: JsonValue }
  | { readonly op: "copy" | "move"; readonly path: JsonPointer; readonly from: JsonPointer }
  | { readonly op: "remove"; readonly path: JsonPointer };

/**
 * Reads a patch document, its values on `budget`; members that RFC 6902 does not know are ignored.
 *
 * @throws PatchError for a patch that is no list of operations, has too many, or has one that is malformed.
 */
export function parseOperations(patch: unknown, maxOperations: number, budget: ByteBudget): PatchOperation[] {
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
