import type { Filter } from "../filter/filter.js";
import type { AttributePath } from "../schema/types.js";

/** The target of a PATCH operation: an attribute, a sub-attribute, or the values of a list that match a filter. */
export interface PatchTarget extends AttributePath {
  /** Filter in brackets, as in `emails[type eq "work"].value`; undefined for the whole attribute. */
  readonly filter?: Filter | undefined;
}

/** One normalized change: a request operation without path becomes one operation per attribute. */
export interface PatchOperation {
  readonly op: "add" | "replace" | "remove";
  readonly target: PatchTarget;
  /** The value, checked and with canonical names; undefined for none. A `remove` with a list removes those values. */
  readonly value?: unknown;
}

/** The operations of a PATCH request, and its undeclared attributes. */
export interface Patch {
  readonly operations: readonly PatchOperation[];
  /** Paths of undeclared attributes that were left out, each once. */
  readonly ignored: readonly string[];
}
