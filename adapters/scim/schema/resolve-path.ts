import { commonAttributes } from "./common-attributes.js";
import { findAttribute, findCoreAttribute, findSchema, schemasOf, valueAttributes } from "./find-attribute.js";
import type { AttributePath, ResourceType, ScimAttribute, ScimSchema } from "./types.js";

/** Returns the schema that a path names as a whole, such as the URN of an extension; undefined for none. */
export function resolveSchema(type: ResourceType, text: string): ScimSchema | undefined {
  return findSchema(type, text);
}

/**
 * Returns the attribute of a path: in any case, alone or after the URN of its schema (RFC 7644, 3.10). Finds an attribute that
 * only one extension declares without its URN too, because Entra sends `manager` so. Undefined for an unknown path.
 */
export function resolvePath(type: ResourceType, text: string): AttributePath | undefined {
  const schema = schemaBefore(type, text);
  if (schema !== undefined) return inSchema(type, schema, text.slice(schema.id.length + 1));
  return inSchema(type, type.schema, text) ?? inOnlyExtension(type, text);
}

// The longest URN wins: one may be a prefix of another.
function schemaBefore(type: ResourceType, text: string): ScimSchema | undefined {
  const lower = text.toLowerCase();
  const named = schemasOf(type).filter(({ id }) => {
    const next = lower[id.length];
    return lower.startsWith(id.toLowerCase()) && (next === ":" || next === ".");
  });
  return named.toSorted((one, other) => other.id.length - one.id.length)[0];
}

function inOnlyExtension(type: ResourceType, text: string): AttributePath | undefined {
  const found = type.extensions.map(({ schema }) => inSchema(type, schema, text)).filter((path) => path !== undefined);
  return found.length === 1 ? found[0] : undefined;
}

function inSchema(type: ResourceType, schema: ScimSchema, text: string): AttributePath | undefined {
  const [name = "", subName, ...more] = text.split(".");
  const isCore = schema === type.schema;
  const attribute = isCore ? findCoreAttribute(type, name) : findAttribute(schema.attributes, name);
  if (attribute === undefined || more.length > 0) return undefined;
  const path = pathTo(attribute, isCore ? undefined : schema.id);
  return subName === undefined ? path : subPath(path, subName);
}

/** Returns the path of a whole attribute. */
export function pathTo(attribute: ScimAttribute, extension?: string): AttributePath {
  const text = extension === undefined ? attribute.name : `${extension}:${attribute.name}`;
  return { attribute, text, ...(extension !== undefined && { extension }) };
}

/** Returns the path of a sub-attribute with a name in any case; undefined for an unknown name. */
export function subPath(path: AttributePath, name: string): AttributePath | undefined {
  const sub = findAttribute(valueAttributes(path.attribute), name);
  return sub && { ...path, sub, text: `${path.text}.${sub.name}` };
}

/** Whether every resource has the attribute. */
export function isCommon(attribute: ScimAttribute): boolean {
  return commonAttributes.includes(attribute);
}
