import { isObject } from "../../internal/objects.js";
import { quote, ScimError } from "../schema/errors.js";
import type { BulkOperation } from "./bulk-operation.js";

const reference = /^bulkId:(.+)$/;
const inPath = /bulkId:([^/?]+)/g;

/**
 * Sorts operations so that each follows those that it references by `bulkId` (RFC 7644, 3.7.2); otherwise keeps their order.
 * Throws `ScimError` 409 for circular references, 400 `invalidValue` for a repeated `bulkId`.
 */
export function orderOperations(operations: readonly BulkOperation[]): readonly BulkOperation[] {
  const byId = indexById(operations);
  const done = new Set<BulkOperation>();
  const begun = new Set<BulkOperation>();
  const add = (operation: BulkOperation): void => {
    if (done.has(operation)) return;
    if (begun.has(operation)) throw new ScimError(409, "invalidValue", "Operations name each other by `bulkId` in a circle.");
    begun.add(operation);
    for (const needed of needsOf(operation, byId)) add(needed);
    done.add(operation);
  };
  for (const operation of operations) add(operation);
  return [...done];
}

function indexById(operations: readonly BulkOperation[]): ReadonlyMap<string, BulkOperation> {
  const byId = new Map<string, BulkOperation>();
  for (const operation of operations) {
    if (operation.bulkId === undefined) continue;
    if (byId.has(operation.bulkId)) throw new ScimError(400, "invalidValue", "Two operations have the same `bulkId`.");
    byId.set(operation.bulkId, operation);
  }
  return byId;
}

function needsOf({ data, path }: BulkOperation, byId: ReadonlyMap<string, BulkOperation>): ReadonlySet<BulkOperation> {
  const named = new Set<string>();
  for (const [, id = ""] of path.matchAll(inPath)) named.add(id);
  collect(data, named);
  return new Set([...named].flatMap((id) => byId.get(id) ?? []));
}

function collect(value: unknown, named: Set<string>): void {
  if (typeof value === "string") named.add(reference.exec(value)?.[1] ?? "");
  else if (Array.isArray(value)) for (const item of value) collect(item, named);
  else if (isObject(value)) for (const member of Object.values(value)) collect(member, named);
}

/** Replaces `bulkId:…` in a path by ids of resources. Throws `ScimError` 400 `invalidValue` for an unknown one. */
export function resolveBulkPath(path: string, ids: ReadonlyMap<string, string>): string {
  return path.replace(inPath, (_whole, id: string) => findId(ids, id));
}

/** Replaces texts `bulkId:…` in a value by ids of resources. Throws `ScimError` 400 `invalidValue` for an unknown one. */
export function replaceBulkIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return replaceText(value, ids);
  if (Array.isArray(value)) return value.map((item) => replaceBulkIds(item, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceBulkIds(member, ids)]));
}

function replaceText(text: string, ids: ReadonlyMap<string, string>): string {
  const [, id] = reference.exec(text) ?? [];
  return id === undefined ? text : findId(ids, id);
}

function findId(ids: ReadonlyMap<string, string>, id: string): string {
  const found = ids.get(id);
  if (found === undefined) throw new ScimError(400, "invalidValue", `No operation before has made ${quote(`bulkId:${id}`)}.`);
  return found;
}
