/** A JSON Schema of the 2020-12 dialect, as far as the OpenAPI document uses it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  not?: JsonSchema;
  [keyword: string]: unknown;
}

/** Schemas by name. */
export type Schemas = Record<string, JsonSchema>;

const prefix = "#/components/schemas/";

/** A reference to a schema of the components. */
export function refTo(name: string): JsonSchema {
  return { $ref: prefix + name };
}

/** The schema itself where it is a reference. */
export function resolveRef(schemas: Schemas, schema: JsonSchema): JsonSchema {
  const named = schema.$ref === undefined ? schema : schemas[schema.$ref.slice(prefix.length)];
  if (named === undefined) throw new Error(`There is no ${schema.$ref}.`);
  return named === schema ? schema : resolveRef(schemas, named);
}

/** Every schema in a value of the document, outermost first. */
export function visit(value: unknown, see: (object: Record<string, unknown>) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) see(value as Record<string, unknown>);
  for (const member of Object.values(value)) visit(member, see);
}
