/** What a control holds of a map; nothing for what is none. A merge patch removes an entry by null. */
export function toEntries<Value>(value: unknown): Readonly<Record<string, Value>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined));
}
