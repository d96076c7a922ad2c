import type { Schema } from "../schema/fields.js";
import { isObject } from "../values/is-object.js";

/** What tells the kind of a schema. */
interface Definition {
  readonly type: string;
  readonly innerType?: Schema<unknown>;
  readonly in?: Schema<unknown>;
  readonly element?: Schema<unknown>;
  readonly shape?: Readonly<Record<string, Schema<unknown>>>;
}

/** A member that a schema does not have, and those that it has in that place. */
export interface UnknownMember {
  readonly path: readonly PropertyKey[];
  readonly known: readonly string[];
}

/** The members of a value that a schema has no place for. Maps and metadata have a place for everything. */
export function findUnknownMembers(
  schema: Schema<unknown>,
  value: unknown,
  path: readonly PropertyKey[] = [],
): readonly UnknownMember[] {
  const { shape, element } = definitionOf(schema);
  if (element !== undefined && Array.isArray(value))
    return value.flatMap((item, index) => findUnknownMembers(element, item, [...path, index]));
  if (shape === undefined || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const own = [...path, name];
    return known === undefined ? [{ path: own, known: Object.keys(shape) }] : findUnknownMembers(known, member, own);
  });
}

/** The schema of a member. */
export function memberSchema(schema: Schema<unknown>, name: string): Schema<unknown> | undefined {
  return definitionOf(schema).shape?.[name];
}

// Defaults and the like are around the schema that they are for.
function definitionOf(schema: Schema<unknown>): Definition {
  const definition = schema._zod.def as Definition;
  const inner = definition.innerType ?? definition.in;
  return inner === undefined ? definition : definitionOf(inner);
}
