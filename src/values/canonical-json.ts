/**
 * JSON text with members in alphabetical order and without members that are null or undefined (facts.md 14),
 * so that equal values have equal texts on every storage and in every answer.
 */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalJson(item ?? null)).join(",")}]`;
  if (typeof value === "object" && value !== null) return objectToJson(value as Record<string, unknown>);
  return JSON.stringify(value ?? null);
}

function objectToJson(object: Record<string, unknown>): string {
  let text = "";
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member === undefined || member === null) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${toCanonicalJson(member)}`;
  }
  return `{${text}}`;
}
