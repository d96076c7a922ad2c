import type { ScimAttribute, ScimAttributeType } from "./types.js";

type Traits = Partial<Omit<ScimAttribute, "name" | "description" | "type">>;

const defaults = {
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
} as const;

/** Returns an attribute of a type; omitted traits have the defaults of RFC 7643, 2.2. */
export function attribute(
  name: string,
  description: string,
  traits: Traits & { readonly type?: ScimAttributeType } = {},
): ScimAttribute {
  return { name, type: "string", description, ...defaults, ...traits };
}

/** Returns a complex attribute with one value. */
export function complex(name: string, description: string, subAttributes: readonly ScimAttribute[]): ScimAttribute {
  return attribute(name, description, { type: "complex", subAttributes });
}

/** Returns a list of complex values. */
export function complexList(
  name: string,
  description: string,
  traits: Traits & { readonly subAttributes: readonly ScimAttribute[] },
): ScimAttribute {
  return attribute(name, description, { type: "complex", multiValued: true, ...traits });
}

/** Returns a list of values with `value`, `display`, `type` and `primary` (RFC 7643, 2.4). `types` are the suggested types. */
export function valueList(
  name: string,
  description: string,
  value: Traits & { types?: readonly string[]; type?: ScimAttributeType } = {},
): ScimAttribute {
  const { types = [], ...traits } = value;
  const subAttributes = [
    attribute("value", "The value.", traits),
    attribute("display", "The value as people read it."),
    attribute("type", "What the value is used for.", types.length > 0 ? { canonicalValues: types } : {}),
    attribute("primary", "Whether this value is the preferred one; true at most once.", { type: "boolean" }),
  ];
  return complexList(name, description, { subAttributes });
}
