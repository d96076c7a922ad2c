/** A record as JSON. */
export type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are equal. An absent member equals a null one. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isMembers(value)) return value ?? null;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, plain(member)]));
}

/** The JSON Merge Patch (RFC 7396) that turns `base` into `target`; undefined if they are equal. */
export function toMergePatch(base: unknown, target: unknown): Members | undefined {
  if (!isMembers(base) || !isMembers(target)) return isMembers(target) ? target : undefined;
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(base), ...Object.keys(target)])) {
    const [before, after] = [base[name], target[name]];
    if (isSame(before, after)) continue;
    const isDeep = isMembers(before) && isMembers(after);
    patch[name] = isDeep ? toMergePatch(before, after) : (after ?? null);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** The member of a record at a path such as `emailConfiguration.verifyEmail`. */
export function getAt(record: unknown, path: string): unknown {
  let value = record;
  for (const name of path.split(".")) value = isMembers(value) ? value[name] : undefined;
  return value;
}

/** A copy of a record with a new value at a path; undefined removes the member. */
export function setAt(record: Members, path: string, value: unknown): Members {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) return without(record, name, value);
  const inner = record[name];
  return { ...record, [name]: setAt(isMembers(inner) ? inner : {}, rest.join("."), value) };
}

function without(record: Members, name: string, value: unknown): Members {
  const { [name]: _, ...others } = record;
  return value === undefined ? others : { ...others, [name]: value };
}

/** A copy of a record with only the members at the given paths, without null ones. */
export function pick(record: unknown, paths: readonly string[]): Members {
  let picked: Members = {};
  for (const path of paths) {
    const value = getAt(record, path);
    if (value !== undefined && value !== null) picked = setAt(picked, path, value);
  }
  return picked;
}

/** A member that differs. */
export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The members in which two records differ, each with its path. */
export function differences(before: unknown, after: unknown, path = ""): readonly Difference[] {
  if (isSame(before, after)) return [];
  if (!isMembers(before) || !isMembers(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => differences(before[name], after[name], path === "" ? name : `${path}.${name}`));
}
