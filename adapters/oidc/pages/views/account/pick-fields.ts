type Members = Readonly<Record<string, unknown>>;

/** A role is given by those who administrate an application, never taken by who registers. */
const neverTaken: ReadonlySet<string> = new Set(["registration.roles"]);

/** Returns what stands at the keys of form fields, such as `user.data.color` and `consents['id']`, and nothing else. */
export function pickFields(values: Members, keys: readonly string[]): Members {
  const picked = {};
  for (const key of keys) {
    if (neverTaken.has(key)) continue;
    const names = Array.from(key.matchAll(/'([^']*)'|([^.'[\]]+)/g), ([, quoted, name = ""]) => quoted ?? name);
    // Below a member of `data` there is what fields put there alone.
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
