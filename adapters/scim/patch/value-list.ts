import { isObject } from "../../internal/objects.js";
import type { Filter } from "../filter/filter.js";
import { matches, toItem } from "../filter/match.js";
import { ScimError } from "../schema/errors.js";
import { findAttribute } from "../schema/find-attribute.js";
import { foldText, toItemKey, toValueKey } from "../schema/item-key.js";
import { isPrimary } from "../schema/read-value.js";
import type { ScimAttribute } from "../schema/types.js";
import { countComparisons, equalValues } from "./filter-terms.js";

/** The maximum number of comparisons by the filters of one PATCH. */
const maxComparisons = 5_000_000;

/**
 * The values of a list during a PATCH. Indexed by key and by `value`, so many operations on a long list take linear time. Two
 * values with one key (`toItemKey`) become one; at most one value is primary.
 */
export class ValueList {
  readonly #attribute: ScimAttribute;
  readonly #items = new Map<number, unknown>();
  readonly #byKey = new Map<string, number>();
  readonly #byValue = new Map<string, Set<number>>();
  #primary: number | undefined;
  #nextId = 0;
  #comparisons = 0;

  constructor(attribute: ScimAttribute, items: readonly unknown[]) {
    this.#attribute = attribute;
    for (const item of items) this.add(item);
  }

  /** Appends a value, or merges it into the existing value with its key, except in lists with an immutable `value`. */
  add(item: unknown): void {
    const id = this.#byKey.get(toItemKey(this.#attribute, item));
    if (id === undefined) this.#insert(this.#nextId++, item);
    else this.set(id, this.#merge(this.#items.get(id), item));
  }

  /** Replaces the value with an id in its place; removes another value with the same key. */
  set(id: number, item: unknown): void {
    this.#forget(id);
    const double = this.#byKey.get(toItemKey(this.#attribute, item));
    if (double !== undefined) this.delete(double);
    this.#insert(id, item);
  }

  delete(id: number): void {
    this.#forget(id);
    this.#items.delete(id);
  }

  clear(): void {
    for (const id of this.ids()) this.delete(id);
  }

  /** Removes the values that have all parts of another value. Members are compared by `value` only. */
  deleteLike(item: unknown): void {
    const key = toValueKey(this.#attribute, item);
    const candidates = key === undefined ? this.ids() : [...(this.#byValue.get(key) ?? [])];
    if (key === undefined) this.#charge(candidates.length);
    for (const id of candidates) if (this.#hasParts(this.#items.get(id), item)) this.delete(id);
  }

  get(id: number): unknown {
    return this.#items.get(id);
  }

  has(id: number): boolean {
    return this.#items.has(id);
  }

  ids(): readonly number[] {
    return [...this.#items.keys()];
  }

  /** Returns the ids of the matching values. Throws `ScimError` 413 when the filters of a PATCH make too many comparisons. */
  select(filter: Filter): readonly number[] {
    const values = equalValues(filter);
    if (values !== undefined) return this.#withValues(values);
    this.#charge(this.#items.size * countComparisons(filter));
    return this.ids().filter((id) => matches(filter, toItem(this.#items.get(id))));
  }

  toArray(): readonly unknown[] {
    return [...this.#items.values()];
  }

  // Ordered as the list: ids grow along it.
  #withValues(values: readonly string[]): readonly number[] {
    return [...new Set(values.flatMap((value) => this.#withValue(value)))].toSorted((one, other) => one - other);
  }

  #withValue(value: string): readonly number[] {
    const item = this.#attribute.type === "complex" ? { value } : value;
    const key = toValueKey(this.#attribute, item);
    return key === undefined ? [] : [...(this.#byValue.get(key) ?? [])];
  }

  #charge(comparisons: number): void {
    this.#comparisons += comparisons;
    if (this.#comparisons > maxComparisons) {
      throw new ScimError(413, undefined, "The filters of the operations compare too many values; send fewer operations.");
    }
  }

  #insert(id: number, item: unknown): void {
    this.#items.set(id, item);
    this.#byKey.set(toItemKey(this.#attribute, item), id);
    const key = toValueKey(this.#attribute, item);
    if (key !== undefined) this.#byValue.set(key, (this.#byValue.get(key) ?? new Set()).add(id));
    if (isPrimary(item)) this.#makePrimary(id);
  }

  #makePrimary(id: number): void {
    const previous = this.#primary;
    this.#primary = id;
    if (previous === undefined || previous === id) return;
    this.set(previous, { ...toItem(this.#items.get(previous)), primary: false });
  }

  #forget(id: number): void {
    const item = this.#items.get(id);
    this.#byKey.delete(toItemKey(this.#attribute, item));
    const key = toValueKey(this.#attribute, item);
    if (key !== undefined) this.#byValue.get(key)?.delete(id);
    if (this.#primary === id) this.#primary = undefined;
  }

  #merge(old: unknown, item: unknown): unknown {
    if (!isObject(old) || !isObject(item)) return item;
    const value = findAttribute(this.#attribute.subAttributes ?? [], "value");
    return value?.mutability === "immutable" ? { ...item, ...old } : { ...old, ...item };
  }

  #hasParts(item: unknown, wanted: unknown): boolean {
    if (!isObject(item) || !isObject(wanted)) return true;
    const subAttributes = this.#attribute.subAttributes ?? [];
    if (findAttribute(subAttributes, "value")?.mutability === "immutable" && wanted.value !== undefined) return true;
    const compared = subAttributes.filter(({ name }) => wanted[name] !== undefined);
    return compared.every((sub) => foldText(sub, item[sub.name]) === foldText(sub, wanted[sub.name]));
  }
}
