import { isObject } from "../../internal/objects.js";
import { quote, ScimError } from "../schema/errors.js";
import { equalValues } from "./filter-terms.js";
import type { PatchOperation } from "./patch-operation.js";

/** A value of a list, such as a member of a group. */
export type ListValue = Readonly<Record<string, unknown>>;

/** The changes of a PATCH to a list, without its previous values. */
export interface ListChanges {
  /** Values to add; some may exist already. With `replaced`, they are part of it. */
  readonly added: readonly ListValue[];
  /** `value` of each value to remove; some may not exist. Never one of `added`. Empty with `replaced`. */
  readonly removed: readonly string[];
  /** The whole new list, when an operation replaced or emptied it; undefined when other values stay. */
  readonly replaced?: readonly ListValue[] | undefined;
}

/** The operations of a PATCH, without those of one list. */
export interface SplitPatch {
  readonly changes: ListChanges;
  readonly rest: readonly PatchOperation[];
}

/**
 * Returns the changes of a PATCH to a core list with values identified by `value`, such as `members`, so a server can change one
 * of 100,000 without reading the others. Undefined when an operation needs the whole list: a path to a part of its values, or a
 * filter other than `value eq "…"` joined by `or`. Throws `ScimError` 400 `invalidValue` for a value without `value`.
 */
export function splitListChanges(operations: readonly PatchOperation[], name: string): SplitPatch | undefined {
  const changes = new ListChangeCollector();
  const rest: PatchOperation[] = [];
  for (const operation of operations) {
    const { attribute, extension } = operation.target;
    if (extension !== undefined || attribute.name !== name) rest.push(operation);
    else if (!changes.collect(operation)) return undefined;
  }
  return { changes: changes.toChanges(), rest };
}

class ListChangeCollector {
  readonly #added = new Map<string, ListValue>();
  readonly #removed = new Set<string>();
  #isReplaced = false;

  // Returns false when the operation needs the whole list.
  collect({ op, target, value }: PatchOperation): boolean {
    if (target.sub !== undefined) return false;
    if (target.filter !== undefined) return op === "remove" && this.#removeAll(equalValues(target.filter));
    if (op === "replace" || (op === "remove" && value === undefined)) this.#replace();
    const values = Array.isArray(value) ? value : [];
    for (const item of values) {
      if (op === "remove") this.#remove(keyOf(item, target.text));
      else this.#add(keyOf(item, target.text), item);
    }
    return true;
  }

  toChanges(): ListChanges {
    const added = [...this.#added.values()];
    return { added, removed: [...this.#removed], ...(this.#isReplaced && { replaced: added }) };
  }

  #replace(): void {
    this.#isReplaced = true;
    this.#added.clear();
    this.#removed.clear();
  }

  #add(key: string, item: ListValue): void {
    this.#removed.delete(key);
    if (!this.#added.has(key)) this.#added.set(key, item);
  }

  #remove(key: string): void {
    this.#added.delete(key);
    if (!this.#isReplaced) this.#removed.add(key);
  }

  #removeAll(keys: readonly string[] | undefined): boolean {
    for (const key of keys ?? []) this.#remove(key);
    return keys !== undefined;
  }
}

function keyOf(item: unknown, path: string): string {
  if (isObject(item) && typeof item.value === "string") return item.value;
  throw new ScimError(400, "invalidValue", `A value of ${quote(path)} has no \`value\`.`);
}
