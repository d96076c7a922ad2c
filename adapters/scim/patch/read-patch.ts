import { isObject } from "../../internal/objects.js";
import { quote, ScimError } from "../schema/errors.js";
import type { ReadContext } from "../schema/read-value.js";
import type { ResourceType } from "../schema/types.js";
import type { Patch, PatchOperation } from "./patch-operation.js";
import { readWithPath } from "./read-with-path.js";
import { readWithoutPath } from "./read-without-path.js";

/** URN of the schema of PATCH requests. */
export const patchSchemaId = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** The maximum number of operations in a request, after pathless ones became one per attribute. */
export const maxPatchOperations = 1000;

/**
 * Reads the body of a PATCH (RFC 7644, 3.5.2) into operations of one attribute each. Accepts the variants of directories:
 * operations in any case, pathless values with dotted and URN keys, booleans as texts, a list for `remove`. Throws `ScimError`
 * 400: `invalidSyntax` for an invalid body or `op`, `invalidPath` for an unknown attribute, `noTarget` for `remove` without path,
 * `mutability` for a read-only attribute or the removal of a required one, `invalidValue` for a value of another type; 413 for
 * more than 1,000 operations.
 */
export function readPatch(type: ResourceType, body: unknown): Patch {
  const context = { ignored: new Set<string>() };
  const operations: PatchOperation[] = [];
  for (const entry of listOperations(body)) {
    for (const operation of readOperation(type, entry, context)) operations.push(operation);
    assertCount(operations);
  }
  return { operations, ignored: [...context.ignored] };
}

function listOperations(body: unknown): readonly unknown[] {
  if (!isObject(body)) throw new ScimError(400, "invalidSyntax", "The body must be a JSON object.");
  const schemas = getMember(body, "schemas");
  const isPatch = Array.isArray(schemas) && schemas.some((urn) => String(urn).toLowerCase() === patchSchemaId.toLowerCase());
  if (!isPatch) throw new ScimError(400, "invalidSyntax", `\`schemas\` must contain ${quote(patchSchemaId)}.`);
  const operations = getMember(body, "operations");
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError(400, "invalidSyntax", "`Operations` must be a list with at least one operation.");
  }
  assertCount(operations);
  return operations;
}

function assertCount({ length }: readonly unknown[]): void {
  if (length > maxPatchOperations) throw new ScimError(413, undefined, `A PATCH has at most ${maxPatchOperations} operations.`);
}

function readOperation(type: ResourceType, entry: unknown, context: ReadContext): readonly PatchOperation[] {
  if (!isObject(entry)) throw new ScimError(400, "invalidSyntax", "An operation must be an object.");
  const op = readOp(getMember(entry, "op"));
  const path = getMember(entry, "path") ?? "";
  const value = getMember(entry, "value");
  if (typeof path !== "string") throw new ScimError(400, "invalidPath", "`path` must be a text.");
  if (op !== "remove" && value === undefined)
    throw new ScimError(400, "invalidValue", `The operation ${quote(op)} needs a \`value\`.`);
  if (path.trim() !== "") return readWithPath(type, { op, path, value }, context);
  if (op === "remove") throw new ScimError(400, "noTarget", "The operation `remove` needs a `path`.");
  return readWithoutPath(type, { op, value }, context);
}

function readOp(op: unknown): PatchOperation["op"] {
  const lower = typeof op === "string" ? op.toLowerCase() : "";
  if (lower === "add" || lower === "replace" || lower === "remove") return lower;
  throw new ScimError(400, "invalidSyntax", "`op` must be `add`, `replace` or `remove`.");
}

function getMember(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const key = Object.keys(object).find((other) => other.toLowerCase() === name);
  return key === undefined ? undefined : object[key];
}
