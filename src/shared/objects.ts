/** Whether a value is a JSON object: neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObjectOrList(value) && !Array.isArray(value);
}

/** Whether a value has members or items: an object or a list, not null. */
export function isObjectOrList(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns an own member of an object, not one of its prototype; undefined for none. */
export function memberOf<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Returns the value at a dotted path; undefined for none. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((parent, name) => {
    const hasMember = isObjectOrList(parent) && Object.hasOwn(parent, name);
    return hasMember ? (parent as Readonly<Record<string, unknown>>)[name] : undefined;
  }, value);
}

/** Returns the dotted paths that match a pattern, in which `*` stands for each member of an object. */
export function pathsAt(value: unknown, pattern: string): readonly string[] {
  const star = pattern.indexOf(".*");
  if (star < 0) return [pattern];
  const [start, rest] = [pattern.slice(0, star), pattern.slice(star + ".*.".length)];
  const map = valueAt(value, start);
  if (!isObject(map)) return [];
  // A dot in a name would change the path; members of records have none.
  const names = Object.keys(map).filter((name) => !name.includes("."));
  if (rest === "") return names.map((name) => `${start}.${name}`);
  return names.flatMap((name) => pathsAt(map[name], rest).map((path) => `${start}.${name}.${path}`));
}

/** Returns the text at a dotted path; undefined for other values. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : undefined;
}

/** Returns a copy of an object without the member at a path, and that member; the object itself if there is none. */
export function splitMember<T extends object>(object: T, [name = "", ...rest]: readonly string[]): readonly [T, unknown] {
  if (!Object.hasOwn(object, name)) return [object, undefined];
  const { [name]: member, ...others } = object as Members;
  if (rest.length === 0) return [others as T, member];
  if (!isObject(member)) return [object, undefined];
  const [kept, taken] = splitMember(member, rest);
  return [{ ...object, [name]: kept }, taken];
}

/** Returns a copy of an object with a member at a path; creates missing parents. */
export function withMember<T extends object>(object: T, [name = "", ...rest]: readonly string[], value: unknown): T {
  const member = rest.length === 0 ? value : withMember((memberOf(object as Members, name) ?? {}) as Members, rest, value);
  return { ...object, [name]: member };
}

/** Appends items to a list of any length: too many arguments of `push` overflow the stack. */
export function appendAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

/** Returns a copy without empty texts, which mean absent (docs/reference/users.md: blank becomes null). */
export function withoutEmptyTexts<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")) as Fields;
}
