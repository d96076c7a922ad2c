import type { Filter } from "../filter/filter.js";
import type { AttributePath } from "../schema/types.js";

/** What a PATCH operation changes: an attribute, a sub-attribute, or the values of a list that match a filter. */
export interface PatchTarget extends AttributePath {
  /** Filter in brackets, as in `emails[type eq "work"].value`; undefined for the whole attribute. */
  readonly filter?: Filter | undefined;
}

/** One change, normalized: a request operation without path becomes one operation per attribute. */
export interface PatchOperation {
  readonly op: "add" | "replace" | "remove";
  readonly target: PatchTarget;
  /** The value, checked and with canonical names; undefined for none. A `remove` with a list removes those values. */
  readonly value?: unknown;
}

/** The operations of a PATCH request, and what it named that is not declared. */
export interface Patch {
  /** Changes in the order of the request. */
  readonly operations: readonly PatchOperation[];
  /** Undeclared attributes that were left out, by path, each once. */
  readonly ignored: readonly string[];
}
