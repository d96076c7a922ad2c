import type { Schema } from "../../http/schema/fields.js";
import { definitionOf } from "../../http/schema/parse-with.js";
import { isObject } from "../../shared/objects.js";

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
