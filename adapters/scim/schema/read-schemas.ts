import { isObject } from "../../internal/objects.js";
import { quote } from "./errors.js";

import type { ScimAttribute, ScimAttributeType, ScimSchema } from "./types.js";

/** Valid custom schemas, and the problems of the others. */
interface CustomSchemas {
  readonly schemas: readonly ScimSchema[];
  readonly problems: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

const [maxSchemas, maxAttributes] = [50, 500];

/** Returns the valid schemas of a tenant's setting, and one sentence for each invalid one. Never throws. */
export function readCustomSchemas(custom: unknown, builtIn: readonly ScimSchema[]): CustomSchemas {
  const schemas: ScimSchema[] = [];
  const problems: string[] = [];
  for (const listed of listSchemas(custom).slice(0, maxSchemas)) {
    const schema = readSchema(listed, [...builtIn, ...schemas]);
    if (typeof schema === "string") problems.push(schema);
    else schemas.push(schema);
  }
  return { schemas, problems };
}

function listSchemas(custom: unknown): readonly unknown[] {
  if (Array.isArray(custom)) return custom;
  if (!isObject(custom)) return [];
  if (Array.isArray(custom.Resources)) return custom.Resources;
  if (Array.isArray(custom.attributes)) return [custom];
  return Object.entries(custom).map(([id, schema]) => (isObject(schema) ? { id, ...schema } : schema));
}

// Returns the schema, or its problem.
function readSchema(listed: unknown, known: readonly ScimSchema[]): ScimSchema | string {
  if (!isObject(listed)) return "A schema must be an object.";
  const { id, name = id, description = "", attributes } = listed;
  if (typeof id !== "string" || !/^urn:[\w:.-]{1,200}$/i.test(id)) return `${quote(String(id))} is not the URN of a schema.`;
  if (known.some((schema) => schema.id.toLowerCase() === id.toLowerCase())) return `The schema ${quote(id)} exists already.`;
  const read = readAttributes(attributes, true);
  if (typeof read === "string") return `The schema ${quote(id)} ${read}`;
  return { id, name: String(name), description: String(description), attributes: read };
}

function readAttributes(listed: unknown, canNest: boolean): readonly ScimAttribute[] | string {
  if (!Array.isArray(listed) || listed.length === 0) return "has no attributes.";
  if (listed.length > maxAttributes) return `has more than ${maxAttributes} attributes.`;
  const attributes: ScimAttribute[] = [];
  const names = new Set<string>();
  for (const item of listed) {
    const attribute = readAttribute(item, canNest);
    if (typeof attribute === "string") return attribute;
    if (names.has(attribute.name.toLowerCase())) return `has the attribute ${quote(attribute.name)} twice.`;
    names.add(attribute.name.toLowerCase());
    attributes.push(attribute);
  }
  return attributes;
}

const types: readonly ScimAttributeType[] = [
  "string",
  "boolean",
  "decimal",
  "integer",
  "dateTime",
  "binary",
  "reference",
  "complex",
];

function readAttribute(listed: unknown, canNest: boolean): ScimAttribute | string {
  if (!isObject(listed)) return "has an attribute that is no object.";
  const { name } = listed;
  if (typeof name !== "string" || !isAttributeName(name))
    return `has an attribute whose name is not valid: ${quote(String(name))}.`;
  const type = types.find((known) => known === (listed.type ?? "string"));
  if (type === undefined) return `has the attribute ${quote(name)} of an unknown type.`;
  if (type !== "complex") return { name, type, ...readTraits(listed) };
  if (!canNest) return `has the complex attribute ${quote(name)} inside another one.`;
  const subAttributes = readAttributes(listed.subAttributes, false);
  if (typeof subAttributes === "string") return `has the attribute ${quote(name)}, which ${subAttributes}`;
  return { name, type, ...readTraits(listed), subAttributes };
}

// Names of inherited object members would be read from the prototype when the attribute is absent.
function isAttributeName(name: string): boolean {
  return /^[a-z$][\w$-]{0,99}$/i.test(name) && !(name in {});
}

function readTraits(listed: Members): Omit<ScimAttribute, "name" | "type"> {
  const { canonicalValues, referenceTypes } = listed;
  return {
    multiValued: listed.multiValued === true,
    description: typeof listed.description === "string" ? listed.description : "",
    required: listed.required === true,
    caseExact: listed.caseExact === true,
    mutability: oneOf(["readWrite", "readOnly", "immutable", "writeOnly"], listed.mutability),
    returned: oneOf(["default", "always", "never", "request"], listed.returned),
    uniqueness: "none",
    ...(isTextList(canonicalValues) && { canonicalValues }),
    ...(isTextList(referenceTypes) && { referenceTypes }),
  };
}

// Defaults to the first.
function oneOf<Value extends string>(values: readonly [Value, ...Value[]], value: unknown): Value {
  return values.find((known) => known === value) ?? values[0];
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
