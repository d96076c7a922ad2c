import type { AttributePath } from "../schema/types.js";

/** Operators that compare an attribute with a value (RFC 7644, 3.4.2.2). */
export type ComparisonOperator = "eq" | "ne" | "co" | "sw" | "ew" | "gt" | "ge" | "lt" | "le";

/** A comparison such as `userName eq "ann"`. */
export interface Comparison {
  readonly kind: "compare";
  /** The compared attribute. A complex attribute without sub-attribute is resolved to its `value`. */
  readonly path: AttributePath;
  readonly operator: ComparisonOperator;
  /** The value, of the attribute's type; null compares with no value (`eq`) or any value (`ne`). Dates are texts as sent. */
  readonly value: string | number | boolean | null;
}

/** `attribute pr`: the attribute has a value. */
export interface Presence {
  readonly kind: "present";
  readonly path: AttributePath;
}

/** Filters joined by `and` or `or`; at least two. */
export interface Junction {
  readonly kind: "and" | "or";
  readonly filters: readonly Filter[];
}

/** `not (…)`. */
export interface Negation {
  readonly kind: "not";
  readonly filter: Filter;
}

/** `emails[type eq "work"]`: one value of the attribute matches the whole filter in brackets. */
export interface ValueFilter {
  readonly kind: "value";
  readonly path: AttributePath;
  /** The filter in brackets. Its paths name sub-attributes: `path.attribute` is the sub-attribute, `path.sub` is undefined. */
  readonly filter: Filter;
}

/** A parsed filter (RFC 7644, 3.4.2.2). */
export type Filter = Comparison | Presence | Junction | Negation | ValueFilter;
