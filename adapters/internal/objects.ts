/** Whether a value is a JSON object: neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Merges a change into a value: objects member by member, everything else as a whole. An undefined member deletes. */
export function mergeValues(value: unknown, change: unknown): unknown {
  if (!isObject(value) || !isObject(change)) return change;
  const merged: Record<string, unknown> = { ...value };
  for (const [name, member] of Object.entries(change)) {
    if (member === undefined) delete merged[name];
    else merged[name] = mergeValues(merged[name], member);
  }
  return merged;
}
