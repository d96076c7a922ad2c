/** A member that differs; undefined where it is not there. */
export interface MemberChange {
  /** The dotted path; empty for the value itself. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The members in which two JSON values differ, in the order of their names. */
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

/** A value as a reader sees it: texts as they are, other values as JSON. */
export function showValue(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
