import { isObject } from "../../internal/objects.js";
import { quote, ScimError } from "../schema/errors.js";
import { toItemKey } from "../schema/item-key.js";

import type { ScimAttribute } from "../schema/types.js";
import type { PatchOperation } from "./patch-operation.js";

/** A change of one value: the operation without its path. */
export type ValueChange = Pick<PatchOperation, "op" | "value">;

/**
 * Returns the next value of a single-valued attribute; undefined for none. Throws `ScimError` 400 `mutability` for an immutable
 * one.
 */
export function changeSingle(attribute: ScimAttribute, current: unknown, change: ValueChange): unknown {
  if (change.op === "add" && change.value === undefined) return current;
  const next = change.op === "remove" ? undefined : merge(attribute, current, change.value);
  assertMutable(attribute, current, next);
  return next;
}

function merge(attribute: ScimAttribute, current: unknown, value: unknown): unknown {
  return isObject(value) ? mergeParts(attribute, current, value) : value;
}

/** Merges parts into a complex value (RFC 7644, 3.5.2.3). Throws as `changeSingle` does. */
export function mergeParts(attribute: ScimAttribute, current: unknown, parts: Readonly<Record<string, unknown>>): unknown {
  if (!isObject(current)) return parts;
  for (const sub of attribute.subAttributes ?? []) {
    if (Object.hasOwn(parts, sub.name)) assertMutable(sub, current[sub.name], parts[sub.name]);
  }
  return { ...current, ...parts };
}

/** Returns a complex value with a changed part; undefined when no part is left. Throws as `changeSingle` does. */
export function changePart(sub: ScimAttribute, current: unknown, change: ValueChange): unknown {
  const parts = isObject(current) ? current : {};
  const part = sub.multiValued ? changeParts(sub, parts[sub.name], change) : changeSingle(sub, parts[sub.name], change);
  const { [sub.name]: _, ...others } = parts;
  if (part !== undefined) return { ...parts, [sub.name]: part };
  return Object.keys(others).length === 0 ? undefined : others;
}

// Only custom schemas have a list inside a complex value.
function changeParts(sub: ScimAttribute, current: unknown, { op, value }: ValueChange): unknown {
  const next = op === "replace" ? toList(value) : joined(sub, toList(current), { op, value });
  assertMutable(sub, current, next.length === 0 ? undefined : next);
  return next.length === 0 ? undefined : next;
}

function joined(sub: ScimAttribute, items: readonly unknown[], { op, value }: ValueChange): readonly unknown[] {
  if (op === "remove" && value === undefined) return [];
  const given = toList(value);
  const [kept, keys] = op === "add" ? [given, keysOf(sub, items)] : [items, keysOf(sub, given)];
  const others = kept.filter((item) => !keys.has(toItemKey(sub, item)));
  return op === "add" ? [...items, ...others] : others;
}

function keysOf(sub: ScimAttribute, items: readonly unknown[]): ReadonlySet<string> {
  return new Set(items.map((item) => toItemKey(sub, item)));
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function assertMutable({ mutability, name }: ScimAttribute, current: unknown, next: unknown): void {
  if (mutability !== "immutable" || current === undefined) return;
  if (JSON.stringify(current) !== JSON.stringify(next)) {
    throw new ScimError(400, "mutability", `${quote(name)} is immutable and has a value already.`);
  }
}
