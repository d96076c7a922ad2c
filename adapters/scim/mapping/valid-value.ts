import { isObject } from "../../internal/objects.js";
import { toItemKey } from "../schema/item-key.js";
import { isBase64, isPrimary, parseDate } from "../schema/read-value.js";
import type { ScimAttribute } from "../schema/types.js";

/** A value of a list or the parts of a complex value. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns an own member of an object; undefined for other values. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * Returns a stored value without the parts that do not fit the attribute; undefined when nothing fits. Unlike `readValue` it
 * neither throws nor converts: administrators can write any JSON into the data of a user.
 */
export function toValidValue(attribute: ScimAttribute, value: unknown): unknown {
  return attribute.multiValued ? toValidList(attribute, value) : toValidSingle(attribute, value);
}

/** Returns the fitting attributes by name; undefined without any, or without a required one. */
export function toValidMembers(attributes: readonly ScimAttribute[], value: unknown): Members | undefined {
  const found: Record<string, unknown> = {};
  for (const attribute of attributes) {
    const fitting = toValidValue(attribute, memberOf(value, attribute.name));
    if (fitting !== undefined) found[attribute.name] = fitting;
    if (attribute.required && (fitting === undefined || fitting === "")) return undefined;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

function toValidList(attribute: ScimAttribute, value: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item) => toValidSingle(attribute, item)).filter((item) => item !== undefined);
  return items.length === 0 ? undefined : withOnePrimary(distinctItems(attribute, items));
}

// Drops values that count as equal to an earlier one.
function distinctItems(attribute: ScimAttribute, items: readonly unknown[]): readonly unknown[] {
  const byKey = new Map<string, unknown>();
  for (const item of items) {
    const key = toItemKey(attribute, item);
    if (!byKey.has(key)) byKey.set(key, item);
  }
  return [...byKey.values()];
}

// Of several primary values, only the first stays primary.
function withOnePrimary(items: readonly unknown[]): readonly unknown[] {
  const first = items.findIndex(isPrimary);
  return items.map((item, index) => (index > first && isObject(item) && isPrimary(item) ? { ...item, primary: false } : item));
}

function toValidSingle(attribute: ScimAttribute, value: unknown): unknown {
  if (attribute.type === "complex") return toValidMembers(attribute.subAttributes ?? [], value);
  switch (attribute.type) {
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "integer":
      return Number.isSafeInteger(value) ? value : undefined;
    case "decimal":
      return Number.isFinite(value) ? value : undefined;
    default:
      return typeof value === "string" ? toValidText(attribute, value) : undefined;
  }
}

function toValidText({ type }: ScimAttribute, text: string): string | undefined {
  if (type === "binary") return isBase64(text) ? text : undefined;
  if (type !== "dateTime") return text;
  const instant = parseDate(text);
  return instant === undefined ? undefined : new Date(instant).toISOString();
}
