import { foldText as foldCase } from "latchkey/ports";
import { findAttribute } from "./find-attribute.js";
import type { ScimAttribute } from "./types.js";

/**
 * Returns a key that is equal for list values that count as one. Simple values: the value. Values with an immutable `value`, such
 * as members: that `value`. Values with a `value`: `value` and `type`. Others: all sub-attributes except `primary`.
 */
export function toItemKey(attribute: ScimAttribute, item: unknown): string {
  if (attribute.type !== "complex") return foldText(attribute, item);
  const members = item as Readonly<Record<string, unknown>>;
  const subAttributes = attribute.subAttributes ?? [];
  const value = findAttribute(subAttributes, "value");
  if (value === undefined || members[value.name] === undefined) return toContentKey(subAttributes, members);
  const valueKey = foldText(value, members[value.name]);
  const type = findAttribute(subAttributes, "type");
  if (value.mutability === "immutable" || type === undefined) return JSON.stringify([valueKey]);
  return JSON.stringify([valueKey, foldText(type, members[type.name])]);
}

/** Returns a key that is equal for values with equal `value`; undefined for a value without one. */
export function toValueKey(attribute: ScimAttribute, item: unknown): string | undefined {
  if (attribute.type !== "complex") return foldText(attribute, item);
  const value = findAttribute(attribute.subAttributes ?? [], "value");
  const member = value && (item as Readonly<Record<string, unknown>>)[value.name];
  return value === undefined || member === undefined ? undefined : foldText(value, member);
}

function toContentKey(subAttributes: readonly ScimAttribute[], members: Readonly<Record<string, unknown>>): string {
  const compared = subAttributes.filter(({ name }) => name !== "primary");
  return JSON.stringify(compared.map((sub) => foldText(sub, members[sub.name])));
}

/** Returns a value as text for comparison: without case, as the API compares names, unless the attribute is case-exact. */
export function foldText(attribute: ScimAttribute, value: unknown): string {
  if (typeof value === "string") return attribute.caseExact ? value : foldCase(value);
  return value === undefined ? "" : JSON.stringify(value);
}
