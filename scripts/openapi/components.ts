import { type JsonSchema, refTo, type Schemas } from "./json-schema.js";

/** The schemas and parameters that the document says once. */
export class Components {
  readonly schemas: Schemas;
  readonly parameters: Record<string, object> = {};

  constructor(schemas: Schemas) {
    this.schemas = schemas;
  }

  /** A reference to a schema, which is kept by the first of the names that is free or has this very schema. */
  keepSchema(schema: JsonSchema, ...names: readonly string[]): JsonSchema {
    if (schema.$ref !== undefined) return schema;
    const text = JSON.stringify(schema);
    const name = names.find((one) => this.schemas[one] === undefined || JSON.stringify(this.schemas[one]) === text);
    if (name === undefined) throw new Error(`${names.join(", ")} are taken.`);
    this.schemas[name] ??= schema;
    return refTo(name);
  }

  /** A reference to a parameter; the parameter itself where its name stands for another. */
  keepParameter(key: string, parameter: object): object {
    const known = this.parameters[key];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(parameter)) return parameter;
    this.parameters[key] = parameter;
    return { $ref: `#/components/parameters/${key}` };
  }
}
