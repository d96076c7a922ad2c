/** What stands at a dotted path of a JSON value; undefined where nothing does. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((parent, name) => {
    const isObject = typeof parent === "object" && parent !== null && Object.hasOwn(parent, name);
    return isObject ? (parent as Readonly<Record<string, unknown>>)[name] : undefined;
  }, value);
}
