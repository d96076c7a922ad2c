/**
 * JSON text with members in alphabetical order and without members that are null or undefined (facts.md 14),
 * so that equal values have equal texts on every storage and in every answer.
 */
export function toCanonicalJson(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalJson(item ?? null)).join(",")}]`;
  return joinMembers(value as Record<string, unknown>, toCanonicalJson);
}

/** An object's JSON text from the texts of its members, in alphabetical order; undefined ones are left out. */
export function joinTexts(texts: Readonly<Record<string, string | undefined>>): string {
  return joinMembers(texts, (text) => text);
}

function joinMembers<Member>(object: Readonly<Record<string, Member>>, toText: (member: NonNullable<Member>) => string): string {
  let text = "";
  for (const key of sortedKeys(object)) {
    const member = object[key];
    if (member === undefined || member === null) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${toText(member)}`;
  }
  return `{${text}}`;
}

// Most objects come in order already, and looking is cheaper than sorting.
function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let index = 1; index < keys.length; index++) if ((keys[index] ?? "") < (keys[index - 1] ?? "")) return keys.sort();
  return keys;
}
