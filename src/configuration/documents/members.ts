import { isObject } from "../../shared/objects.js";

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Replaces the value at a path, in which `[]` stands for each element of a list; missing values stay missing. */
export function mapAt(
  value: unknown,
  path: string,
  replace: (found: unknown, path: string) => unknown,
  at: string = "",
): unknown {
  if (value === undefined || value === null) return value;
  if (path === "") return replace(value, at);
  if (path.startsWith("[]")) {
    if (!Array.isArray(value)) return value;
    const rest = path.slice(2).replace(/^\./, "");
    return value.map((item, index) => mapAt(item, rest, replace, `${at}[${index}]`));
  }
  const [, name = "", rest = ""] = /^([^.[]+)\.?(.*)$/.exec(path) ?? [];
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: mapAt(value[name], rest, replace, at === "" ? name : `${at}.${name}`) };
}

/** An object without these members. */
export function omit(object: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** An object with these of its members alone. */
export function pick(object: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** The members of a value; a value that is no object has none. */
export function membersIn(value: unknown): Members {
  return isObject(value) ? value : {};
}
