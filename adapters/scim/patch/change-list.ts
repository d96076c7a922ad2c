import { isObject } from "../../internal/objects.js";
import { quote, ScimError } from "../schema/errors.js";

import { changePart, mergeParts } from "./change-value.js";
import { requiredParts } from "./filter-terms.js";
import type { PatchOperation, PatchTarget } from "./patch-operation.js";
import type { ValueList } from "./value-list.js";

/**
 * Applies an operation to the values of a list (RFC 7644, 3.5.2). When a filter matches nothing: `remove` changes nothing; a path
 * to a part creates a value if the filter defines one, as Entra expects; else throws `ScimError` 400 `noTarget`.
 */
export function changeList(list: ValueList, operation: PatchOperation): void {
  const { filter, sub } = operation.target;
  if (filter === undefined && sub === undefined) changeGroup(list, operation);
  else changeSelected(list, operation);
}

function changeGroup(list: ValueList, { op, value }: PatchOperation): void {
  const values = Array.isArray(value) ? value : [];
  if (op === "replace" || (op === "remove" && value === undefined)) list.clear();
  for (const item of values) {
    if (op === "remove") list.deleteLike(item);
    else list.add(item);
  }
}

function changeSelected(list: ValueList, operation: PatchOperation): void {
  const { op, target } = operation;
  const selected = target.filter === undefined ? list.ids() : list.select(target.filter);
  if (selected.length === 0 && op !== "remove") create(list, operation);
  for (const id of selected) {
    // A changed value that became equal to this one may have replaced it.
    if (!list.has(id)) continue;
    const next = changeItem(list.get(id), operation);
    if (next === undefined) list.delete(id);
    else list.set(id, next);
  }
}

// Undefined removes the value.
function changeItem(item: unknown, { op, target, value }: PatchOperation): unknown {
  const { attribute, sub } = target;
  if (sub !== undefined && isObject(item)) return changePart(sub, item, { op, value });
  if (op === "remove" || (op === "replace" && value === undefined)) return undefined;
  if (value === undefined) return item;
  return isObject(value) ? mergeParts(attribute, item, value) : value;
}

function create(list: ValueList, { op, target, value }: PatchOperation): void {
  const { attribute, sub, filter } = target;
  const isCreating = attribute.type === "complex" && value !== undefined && (sub !== undefined || op === "add");
  const parts = isCreating && filter !== undefined ? requiredParts(filter) : undefined;
  if (parts === undefined) throw noTarget(target);
  const item =
    sub === undefined
      ? mergeParts(attribute, parts, value as Readonly<Record<string, unknown>>)
      : { ...parts, [sub.name]: value };
  list.add(item);
}

function noTarget({ text }: PatchTarget): ScimError {
  return new ScimError(400, "noTarget", `No value of ${quote(text)} matches the path.`);
}
