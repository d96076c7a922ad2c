import type { Schema } from "./fields.js";

/** Discriminates the kinds of schemas. */
export interface SchemaDefinition {
  readonly type: string;
  /** The schema of the items of a list. */
  readonly element?: Schema<unknown>;
  /** The schemas of the members of an object. */
  readonly shape?: Readonly<Record<string, Schema<unknown>>>;
  /** The schema of the values of a map. */
  readonly valueType?: Schema<unknown>;
}

type Wrapper = SchemaDefinition & { readonly innerType?: Schema<unknown>; readonly in?: Schema<unknown> };

/** The definition of a schema, without defaults and the like that are around it. */
export function definitionOf(schema: Schema<unknown>): SchemaDefinition {
  const definition = schema._zod.def as Wrapper;
  const inner = definition.innerType ?? definition.in;
  return inner === undefined ? definition : definitionOf(inner);
}
