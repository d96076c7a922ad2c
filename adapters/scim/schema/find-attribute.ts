import { commonAttributes } from "./common-attributes.js";
import type { ResourceType, ScimAttribute, ScimSchema } from "./types.js";

type AttributeIndex = ReadonlyMap<string, ScimAttribute>;

const indexes = new WeakMap<readonly ScimAttribute[], AttributeIndex>();

/** Returns the attribute with a name in any case; undefined for none. */
export function findAttribute(attributes: readonly ScimAttribute[], name: string): ScimAttribute | undefined {
  let index = indexes.get(attributes);
  if (index === undefined) {
    index = new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
    indexes.set(attributes, index);
  }
  return index.get(name.toLowerCase());
}

/** Returns the common or core attribute with a name in any case; undefined for none. */
export function findCoreAttribute(type: ResourceType, name: string): ScimAttribute | undefined {
  return findAttribute(commonAttributes, name) ?? findAttribute(type.schema.attributes, name);
}

/** Returns the core schema and the extensions of a type. */
export function schemasOf(type: ResourceType): readonly ScimSchema[] {
  return [type.schema, ...type.extensions.map(({ schema }) => schema)];
}

/** Returns the schema with a URN in any case; undefined for none. */
export function findSchema(type: ResourceType, urn: string): ScimSchema | undefined {
  const wanted = urn.toLowerCase();
  return schemasOf(type).find(({ id }) => id.toLowerCase() === wanted);
}

const noAttributes: readonly ScimAttribute[] = [];
const simpleValues = new WeakMap<ScimAttribute, readonly ScimAttribute[]>();

/**
 * Returns the attributes that filters in brackets can name: the sub-attributes of a complex attribute, or `value` for a list of
 * simple values. Empty for a simple attribute with one value.
 */
export function valueAttributes(attribute: ScimAttribute): readonly ScimAttribute[] {
  if (attribute.type === "complex") return attribute.subAttributes ?? noAttributes;
  if (!attribute.multiValued) return noAttributes;
  const known = simpleValues.get(attribute) ?? [{ ...attribute, name: "value", multiValued: false }];
  simpleValues.set(attribute, known);
  return known;
}
