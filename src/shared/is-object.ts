/** Whether a value is a JSON object: neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObjectOrList(value) && !Array.isArray(value);
}

/** Whether a value has members or items: an object or a list, and not null. */
export function isObjectOrList(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
