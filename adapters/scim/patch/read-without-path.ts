import { isObject } from "../../internal/objects.js";
import { ScimError } from "../schema/errors.js";
import type { ReadContext } from "../schema/read-value.js";
import { resolveSchema } from "../schema/resolve-path.js";
import type { ResourceType } from "../schema/types.js";
import type { PatchOperation } from "./patch-operation.js";
import { readWithPath } from "./read-with-path.js";

interface Pathless {
  readonly op: "add" | "replace";
  readonly value: unknown;
}

// Okta sends the id with the new name of a group. Clients cannot change these.
const silent: ReadonlySet<string> = new Set(["schemas", "id", "meta"]);

/**
 * Returns the operations of a value without path: each key is a path, such as dotted and URN keys of Entra. Leaves out `id` and
 * `meta`. Throws as `readPatch` does.
 */
export function readWithoutPath(type: ResourceType, { op, value }: Pathless, context: ReadContext): readonly PatchOperation[] {
  if (!isObject(value)) throw new ScimError(400, "invalidValue", "A `value` without `path` must be an object.");
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const isCore = resolveSchema(type, key) === type.schema && isObject(member);
    return isCore ? Object.entries(member) : [[key, member] as const];
  });
  return entries.flatMap(([key, member]) =>
    silent.has(key.toLowerCase()) ? [] : readWithPath(type, { op, path: key, value: member }, context),
  );
}
