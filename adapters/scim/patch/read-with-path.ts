import { isObject } from "../../internal/objects.js";
import { quote, ScimError } from "../schema/errors.js";
import { type ReadContext, readValue } from "../schema/read-value.js";
import { pathTo, resolveSchema } from "../schema/resolve-path.js";
import type { ResourceType, ScimAttribute, ScimSchema } from "../schema/types.js";
import { parsePath } from "./parse-path.js";
import type { PatchOperation, PatchTarget } from "./patch-operation.js";

interface Targeted {
  readonly op: PatchOperation["op"];
  readonly path: string;
  readonly value: unknown;
}

/** Returns the operations of a path: one, or one per attribute for the URN of an extension. Throws as `readPatch` does. */
export function readWithPath(type: ResourceType, operation: Targeted, context: ReadContext): readonly PatchOperation[] {
  const schema = resolveSchema(type, operation.path.trim());
  if (schema !== undefined) return readSchemaOperation(type, { ...operation, schema }, context);
  const target = parsePath(type, operation.path);
  assertWritable(operation, target);
  return operation.op === "remove"
    ? [readRemoval(target, operation.value, context)]
    : readChange(target, { op: operation.op, value: operation.value }, context);
}

type SchemaOperation = Targeted & { readonly schema: ScimSchema };

function readSchemaOperation(type: ResourceType, operation: SchemaOperation, context: ReadContext): readonly PatchOperation[] {
  const { op, schema, value } = operation;
  if (schema === type.schema) throw new ScimError(400, "invalidPath", `The path ${quote(schema.id)} names the whole resource.`);
  if (op === "remove" || value === null) return removeExtension(schema);
  if (!isObject(value)) throw new ScimError(400, "invalidValue", `The value of ${quote(schema.id)} must be an object.`);
  return Object.entries(value).flatMap(([name, member]) =>
    readWithPath(type, { op, path: `${schema.id}:${name}`, value: member }, context),
  );
}

function removeExtension(schema: ScimSchema): readonly PatchOperation[] {
  const removable = schema.attributes.filter(({ mutability }) => mutability !== "readOnly" && mutability !== "immutable");
  return removable.map((attribute) => ({ op: "remove", target: pathTo(attribute, schema.id) }));
}

function assertWritable({ op }: Targeted, { attribute, sub, filter, text }: PatchTarget): void {
  const changed = sub ?? attribute;
  if (attribute.mutability === "readOnly" || changed.mutability === "readOnly") throw refused(`${quote(text)} is read-only.`);
  if (op !== "remove" || (sub === undefined && filter !== undefined)) return;
  if (changed.required) throw refused(`${quote(text)} is required and cannot be removed.`);
  if (changed.mutability === "immutable") throw refused(`${quote(text)} is immutable and cannot be removed.`);
}

function refused(detail: string): ScimError {
  return new ScimError(400, "mutability", detail);
}

// Entra lists the values to remove; the RFC would remove them all. `[]` removes none.
function readRemoval(target: PatchTarget, value: unknown, context: ReadContext): PatchOperation {
  const { attribute, sub, filter, text } = target;
  const hasValues = value !== undefined && value !== null && filter === undefined && (sub ?? attribute).multiValued;
  if (!hasValues) return { op: "remove", target };
  const read = readValue(sub ?? attribute, value, { path: text, context });
  if (read === undefined && !isEmptyList(value))
    throw new ScimError(400, "invalidValue", `${quote(text)} has no value to remove.`);
  return { op: "remove", target, value: read ?? [] };
}

type Change = { readonly op: "add" | "replace"; readonly value: unknown };

function readChange(target: PatchTarget, { op, value }: Change, context: ReadContext): readonly PatchOperation[] {
  const attribute = attributeOfValue(target);
  const read = readValue(attribute, value, { path: target.text, context });
  const isCleared = value === null || isEmptyList(value);
  if (read !== undefined || isCleared) return [{ op, target, ...(read !== undefined && { value: read }) }];
  // An object without known parts changes nothing; a list of such objects would clear the attribute.
  if (attribute.multiValued) throw new ScimError(400, "invalidValue", `${quote(target.text)} has no value.`);
  return [];
}

// With a filter, the value is a single one of the list.
function attributeOfValue({ attribute, sub, filter }: PatchTarget): ScimAttribute {
  if (sub !== undefined) return sub;
  return filter === undefined ? attribute : { ...attribute, multiValued: false };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
