import { isObject } from "../../internal/objects.js";
import { assertRequired, usedSchemas } from "../schema/read-resource.js";

import { pathTo } from "../schema/resolve-path.js";
import type { AttributePath, ResourceType, ScimResource } from "../schema/types.js";
import { changeList } from "./change-list.js";
import { changePart, changeSingle } from "./change-value.js";
import type { PatchOperation } from "./patch-operation.js";
import { ValueList } from "./value-list.js";

interface AttributeDraft {
  readonly path: AttributePath;
  value: unknown;
}

/**
 * Returns a resource after the operations, in their order. Does not change the given resource, so a refused operation changes
 * nothing; unchanged attributes are shared. Throws `ScimError` 400 `noTarget`, `mutability` or `invalidValue`.
 */
export function applyPatch(type: ResourceType, resource: ScimResource, operations: readonly PatchOperation[]): ScimResource {
  const drafts = new Map<string, AttributeDraft>();
  for (const operation of operations) applyOperation(draftOf(drafts, resource, operation), operation);
  const next = writeDrafts(resource, [...drafts.values()]);
  const patched = { ...next, schemas: usedSchemas(type, next) };
  assertRequired(type, patched);
  return patched;
}

function draftOf(drafts: Map<string, AttributeDraft>, resource: ScimResource, { target }: PatchOperation): AttributeDraft {
  const path = pathTo(target.attribute, target.extension);
  const known = drafts.get(path.text);
  if (known !== undefined) return known;
  const value = currentValue(path, resource);
  const draft = { path, value: path.attribute.multiValued ? toValueList(path, value) : value };
  drafts.set(path.text, draft);
  return draft;
}

function currentValue({ attribute, extension }: AttributePath, resource: ScimResource): unknown {
  const container = extension === undefined ? resource : resource[extension];
  return isObject(container) && container[attribute.name] !== null ? container[attribute.name] : undefined;
}

function toValueList({ attribute }: AttributePath, value: unknown): ValueList {
  return new ValueList(attribute, Array.isArray(value) ? value : []);
}

function applyOperation(draft: AttributeDraft, operation: PatchOperation): void {
  const { attribute, sub } = operation.target;
  if (draft.value instanceof ValueList) changeList(draft.value, operation);
  else if (sub !== undefined) draft.value = changePart(sub, draft.value, operation);
  else draft.value = changeSingle(attribute, draft.value, operation);
}

function writeDrafts(resource: ScimResource, drafts: readonly AttributeDraft[]): ScimResource {
  const next: Record<string, unknown> = { ...resource };
  for (const { path, value } of drafts) {
    const { extension, attribute } = path;
    const written = value instanceof ValueList ? nonEmpty(value.toArray()) : value;
    if (extension === undefined) assign(next, attribute.name, written);
    else assign(next, extension, withMember(next[extension], attribute.name, written));
  }
  return next;
}

function nonEmpty(items: readonly unknown[]): readonly unknown[] | undefined {
  return items.length === 0 ? undefined : items;
}

function withMember(container: unknown, name: string, value: unknown): unknown {
  const members: Record<string, unknown> = isObject(container) ? { ...container } : {};
  assign(members, name, value);
  return Object.keys(members).length === 0 ? undefined : members;
}

function assign(object: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}
