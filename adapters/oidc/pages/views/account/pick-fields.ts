type Members = Readonly<Record<string, unknown>>;

/** Only administrators of an application assign roles, never the registering user. */
const neverTaken: ReadonlySet<string> = new Set(["registration.roles"]);

/** Returns only the values at the keys of form fields, such as `user.data.color` and `consents['id']`. */
export function pickFields(values: Members, keys: readonly string[]): Members {
  const picked = {};
  for (const key of keys) {
    if (neverTaken.has(key)) continue;
    const names = Array.from(key.matchAll(/'([^']*)'|([^.'[\]]+)/g), ([, quoted, name = ""]) => quoted ?? name);
    // Below a member of `data`, all values come from fields.
    copyAt(values, picked, names.slice(0, 3));
  }
  return picked;
}

function copyAt(from: object, to: object, [name = "", ...rest]: readonly string[]): void {
  const value: unknown = Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined;
  if (value === undefined) return;
  if (rest.length === 0) return void Reflect.set(to, name, value);
  if (typeof value !== "object" || value === null) return;
  const child: unknown = Object.hasOwn(to, name) ? Reflect.get(to, name) : {};
  Reflect.set(to, name, child);
  copyAt(value, child as object, rest);
}
