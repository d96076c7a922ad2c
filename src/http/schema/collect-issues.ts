import type * as z from "zod";
import { isObject, isObjectOrList } from "../../shared/is-object.js";
import type { Schema } from "./fields.js";
import { definitionOf } from "./schema-definition.js";

type Path = readonly PropertyKey[];

/** Takes what is wrong, with its path; answers whether more is wanted. */
export type CollectIssue = (issue: z.core.$ZodIssue, path: Path) => boolean;

/** From how many items on those of a list or map are validated one by one. */
const longSize = 100;

/**
 * Collects the faults of a value up to a limit. Long lists and maps are validated item by item: the library validates them all at once,
 * and very many faults take it far longer than valid values. When each item is valid, the whole is validated, which
 * finds lists that are too long.
 */
export function collectIssues(schema: Schema<unknown>, value: unknown, take: CollectIssue, path: Path = []): boolean {
  const parts = holdsLong(value) ? partsOf(schema, value) : undefined;
  if (parts !== undefined) {
    let isRight = true;
    const takeOfPart: CollectIssue = (issue, at) => {
      isRight = false;
      return take(issue, at);
    };
    const goesOn = parts.every(([part, key]) => collectIssues(part, memberOf(value, key), takeOfPart, [...path, key]));
    if (!isRight) return goesOn;
  }
  const { error } = schema.safeParse(value);
  return error === undefined || error.issues.every((issue) => take(issue, [...path, ...issue.path]));
}

function partsOf(schema: Schema<unknown>, value: unknown): readonly (readonly [Schema<unknown>, PropertyKey])[] | undefined {
  const { element, shape, valueType } = definitionOf(schema);
  if (element !== undefined && Array.isArray(value)) return value.map((_, index) => [element, index]);
  if (!isObject(value)) return undefined;
  if (valueType !== undefined) return Object.keys(value).map((key) => [valueType, key]);
  return shape && Object.entries(shape).map(([name, member]) => [member, name]);
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  const members = value as Readonly<Record<PropertyKey, unknown>>;
  return Object.hasOwn(members, key) ? members[key] : undefined;
}

function holdsLong(value: unknown): boolean {
  if (!isObjectOrList(value)) return false;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.length > longSize || members.some(holdsLong);
}
