/** A member that differs; undefined on the side where it is absent. */
export interface MemberChange {
  /** The dotted path; empty for the root value. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Compares two JSON values and returns the members that differ, sorted by name. */
export function findChanges(before: unknown, after: unknown, path = ""): readonly MemberChange[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) => findChanges(before[name], after[name], path === "" ? name : `${path}.${name}`));
  }
  return isSame(before, after) ? [] : [{ path, before, after }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, place) => isSame(item, right[place]));
  }
  return isObject(left) && isObject(right) && findChanges(left, right).length === 0;
}

/** Formats a value for display: texts unchanged, other values as JSON. */
export function showValue(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
