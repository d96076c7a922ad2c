/** Reads the entries of a map from a form value; empty for other values. Skips null entries, which a merge patch removes. */
export function toEntries<Value>(value: unknown): Readonly<Record<string, Value>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined));
}
