import { isObject } from "../../internal/objects.js";
import { quote, ScimError } from "./errors.js";
import { findAttribute, findCoreAttribute, findSchema } from "./find-attribute.js";
import { type ReadContext, readValue, recordIgnored } from "./read-value.js";
import type { ResourceType, ScimAttribute, ScimResource, ScimSchema } from "./types.js";

/** A resource of a request, and the ignored parts. */
export interface ReadResource {
  /**
   * Attributes that clients may set, with canonical names. `schemas` lists the schemas in use. No attribute is null or an empty
   * list.
   */
  readonly resource: ScimResource;
  /** Paths of undeclared attributes and schemas that were left out, each once; at most 100. Without read-only attributes. */
  readonly ignored: readonly string[];
}

/**
 * Reads the body of a POST or PUT. Names are case-insensitive; read-only and undeclared attributes are left out (RFC 7644, 3.3
 * and 3.5.1). Accepts the variants of directories: booleans as texts, a single value for a list, a manager as a bare text, dates
 * with seven decimals. Throws `ScimError` 400: `invalidSyntax` for a body that is not a resource, `invalidValue` for a value of
 * another type or a missing one.
 */
export function readResource(type: ResourceType, body: unknown): ReadResource {
  if (!isObject(body)) throw new ScimError(400, "invalidSyntax", "The body must be a JSON object.");
  const context = { ignored: new Set<string>() };
  const found = readTopLevel(type, flattenCore(type, body), context);
  const resource = { schemas: usedSchemas(type, found), ...found };
  assertRequired(type, resource);
  return { resource, ignored: [...context.ignored] };
}

// Core attributes may be grouped under the URN of the core schema, like those of an extension.
function flattenCore(type: ResourceType, body: ScimResource): readonly (readonly [string, unknown])[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const isCore = findSchema(type, name) === type.schema && isObject(value);
    return isCore ? Object.entries(value) : [[name, value] as const];
  });
}

function readTopLevel(type: ResourceType, entries: readonly (readonly [string, unknown])[], context: ReadContext): ScimResource {
  const found: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    const schema = findSchema(type, name);
    if (lower === "schemas") noteSchemas(type, value, context);
    else if (schema !== undefined && schema !== type.schema)
      assignOnce(found, readExtension(schema, asObject(name, value), context));
    else readAttribute(findCoreAttribute(type, name), { name, value, found, path: "" }, context);
  }
  return found;
}

function readExtension(schema: ScimSchema, value: ScimResource, context: ReadContext): ScimResource {
  const found: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const entry = { name, value: member, found, path: `${schema.id}:` };
    readAttribute(findAttribute(schema.attributes, name), entry, context);
  }
  return Object.keys(found).length === 0 ? {} : { [schema.id]: found };
}

interface Entry {
  readonly name: string;
  readonly value: unknown;
  readonly found: Record<string, unknown>;
  readonly path: string;
}

function readAttribute(attribute: ScimAttribute | undefined, entry: Entry, context: ReadContext): void {
  const path = `${entry.path}${attribute?.name ?? entry.name}`;
  if (attribute === undefined) recordIgnored(context, path);
  // Directories send back the read-only attributes that they have read.
  if (attribute === undefined || attribute.mutability === "readOnly") return;
  const value = readValue(attribute, entry.value, { path, context });
  if (value !== undefined) assignOnce(entry.found, { [attribute.name]: value });
}

function assignOnce(found: Record<string, unknown>, members: ScimResource): void {
  for (const [name, value] of Object.entries(members)) {
    if (Object.hasOwn(found, name)) throw new ScimError(400, "invalidValue", `${quote(name)} is given twice, in different case.`);
    found[name] = value;
  }
}

function asObject(name: string, value: unknown): ScimResource {
  if (value === null) return {};
  if (isObject(value)) return value;
  throw new ScimError(400, "invalidValue", `${quote(name)} must be an object.`);
}

// Entra posts groups with the URI of another product.
const legacySchema = /\/adscim\/2\.0\/(group|user)$/i;

function noteSchemas(type: ResourceType, value: unknown, context: ReadContext): void {
  const listed = Array.isArray(value) ? value : [value];
  for (const urn of listed) {
    if (typeof urn !== "string") throw new ScimError(400, "invalidSyntax", "`schemas` must be a list of URNs.");
    if (findSchema(type, urn) === undefined && !legacySchema.test(urn)) recordIgnored(context, `schemas: ${urn}`);
  }
}

/** Returns the URNs of a resource's schemas: the core schema and its extensions with values. */
export function usedSchemas(type: ResourceType, resource: ScimResource): readonly string[] {
  const extensions = type.extensions.filter(({ schema }) => Object.hasOwn(resource, schema.id));
  return [type.schema.id, ...extensions.map(({ schema }) => schema.id)];
}

/** Throws `ScimError` 400 `invalidValue` for a resource without a required attribute. */
export function assertRequired(type: ResourceType, resource: ScimResource): void {
  assertHas(type.schema.attributes, resource, "");
  for (const { schema } of type.extensions) {
    const extension = resource[schema.id];
    if (isObject(extension)) assertHas(schema.attributes, extension, `${schema.id}:`);
  }
}

function assertHas(attributes: readonly ScimAttribute[], values: ScimResource, prefix: string): void {
  const missing = attributes.find(({ name, required }) => required && (values[name] === undefined || values[name] === ""));
  if (missing !== undefined) throw new ScimError(400, "invalidValue", `${quote(prefix + missing.name)} is required.`);
  for (const { name, subAttributes = [] } of attributes) assertHasParts(subAttributes, values[name], `${prefix}${name}.`);
}

function assertHasParts(subAttributes: readonly ScimAttribute[], value: unknown, prefix: string): void {
  if (!subAttributes.some(({ required }) => required)) return;
  const items = Array.isArray(value) ? value : [value];
  for (const item of items) if (isObject(item)) assertHas(subAttributes, item, prefix);
}
