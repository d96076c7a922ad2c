import { type JsonSchema, resolveRef, type Schemas } from "./json-schema.js";

/** The schema of what changes a document of another schema: any of its members at any depth, null for those that go (RFC 7396). */
export function toPatchSchema(schemas: Schemas, schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties, required: _required, description, ...others } = resolveRef(schemas, schema);
  if (properties === undefined && typeof additionalProperties !== "object") return schema;
  const nullable = (member: JsonSchema): JsonSchema => orNull(toPatchSchema(schemas, member));
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, nullable(member)] as const);
  return {
    ...others,
    ...(description !== undefined && { description }),
    ...(properties !== undefined && { properties: Object.fromEntries(members) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: nullable(additionalProperties) }),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === "string" && schema.enum === undefined && schema.const === undefined)
    return { ...schema, type: [schema.type, "null"] };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: "null" }] };
}
