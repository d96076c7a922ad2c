/** JSON text that is canonical already, in place of the value that it says: spliced instead of written anew. */
export class CanonicalText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The texts of values as the text of a list of them. */
export function toListText(texts: readonly string[]): CanonicalText {
  return new CanonicalText(`[${texts.join(",")}]`);
}

/**
 * JSON text with members in alphabetical order and without members that are null or undefined (facts.md 14),
 * so that equal values have equal texts on every storage and in every answer. The text is one string, not a tree of pieces.
 */
export function toCanonicalJson(value: unknown): string {
  const unordered = new Set<object>();
  if (isCanonical(value, unordered)) return JSON.stringify(value ?? null);
  const pieces: string[] = [];
  writeJson(value, unordered, pieces);
  return pieces.join("");
}

// Most values are canonical already, as what clients send and what was stored before: the engine writes those parts far faster.
function isCanonical(value: unknown, unordered: Set<object>): boolean {
  if (typeof value !== "object" || value === null) return true;
  const isOrdered =
    value instanceof CanonicalText
      ? false
      : Array.isArray(value)
        ? areCanonical(value, unordered)
        : hasCanonicalMembers(value, unordered);
  if (!isOrdered) unordered.add(value);
  return isOrdered;
}

function areCanonical(items: readonly unknown[], unordered: Set<object>): boolean {
  let areAll = true;
  for (const item of items) if (!isCanonical(item, unordered)) areAll = false;
  return areAll;
}

function hasCanonicalMembers(object: object, unordered: Set<object>): boolean {
  let isOrdered = true;
  let previous = "";
  for (const [name, member] of Object.entries(object)) {
    if (name < previous || member === null || member === undefined) isOrdered = false;
    if (!isCanonical(member, unordered)) isOrdered = false;
    previous = name;
  }
  return isOrdered;
}

function writeJson(value: unknown, unordered: ReadonlySet<object>, pieces: string[]): void {
  if (value instanceof CanonicalText) pieces.push(value.text);
  else if (typeof value !== "object" || value === null || !unordered.has(value)) pieces.push(JSON.stringify(value ?? null));
  else if (Array.isArray(value)) writeItems(value, unordered, pieces);
  else writeMembers(value as Readonly<Record<string, unknown>>, unordered, pieces);
}

function writeItems(items: readonly unknown[], unordered: ReadonlySet<object>, pieces: string[]): void {
  let separator = "[";
  for (const item of items) {
    pieces.push(separator);
    writeJson(item, unordered, pieces);
    separator = ",";
  }
  pieces.push("]");
}

function writeMembers(object: Readonly<Record<string, unknown>>, unordered: ReadonlySet<object>, pieces: string[]): void {
  let separator = "{";
  for (const name of Object.keys(object).sort()) {
    const member = object[name];
    if (member === undefined || member === null) continue;
    pieces.push(separator, JSON.stringify(name), ":");
    writeJson(member, unordered, pieces);
    separator = ",";
  }
  pieces.push(separator === "{" ? "{}" : "}");
}
